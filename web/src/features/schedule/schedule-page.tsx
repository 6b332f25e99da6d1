import { Link, useSearchParams } from 'react-router-dom'
import { useConfig } from '../../lib/api/use-config.ts'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AdminGate } from '../admin/admin-gate.tsx'
import { useDraftsReady, useOpenDrafts } from '../admin/drafts/account-drafts.ts'
import { useChannels } from '../admin/use-channels.ts'
import { ChannelSchedule } from './channel-schedule.tsx'

/** The schedule of a channel: what plays when, as a draft that is previewed and published. For programmers and admins. */
export function SchedulePage() {
  usePageTitle('Schedule')
  return (
    <AdminGate place="admin dashboard" permission="schedules:edit">
      <main
        id="main"
        className="mx-auto grid w-full max-w-[110rem] grid-cols-[minmax(0,1fr)] content-start gap-4 px-4 py-4 sm:px-6 sm:py-6"
      >
        <Schedules />
      </main>
    </AdminGate>
  )
}

function Schedules() {
  useOpenDrafts()
  const isReady = useDraftsReady()
  const { defaultChannelId } = useConfig()
  const { data, error, mutate } = useChannels()
  const [parameters, setParameters] = useSearchParams()
  const wanted = parameters.get('channel') ?? defaultChannelId
  const channels = data?.items
  const channel = channels?.find(({ id }) => id === wanted) ?? channels?.[0]
  const choose = (id: string) => setParameters({ channel: id }, { replace: true })
  return (
    <>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <Link to={paths.admin()} className={buttonClass('quiet', 'max-sm:size-11 max-sm:p-0')}>
          <Icon name="back" />
          <span className="max-sm:sr-only">Admin Dashboard</span>
        </Link>
        <h1 className="mr-auto self-center text-2xl font-semibold">Schedule</h1>
        {channel && channels && (
          <SelectField
            label="Channel"
            isLabelHidden
            choices={channels.map(({ id, name }) => ({ value: id, label: name }))}
            value={channel.id}
            onChange={choose}
            className="w-full sm:w-64"
          />
        )}
      </div>
      {error && !channels ? (
        <ErrorNotice text="Failed to load the channels." onRetry={() => void mutate()} />
      ) : channels && !channel ? (
        <EmptyNotice title="No channel">Create one in the Channel Manager.</EmptyNotice>
      ) : channel && isReady ? (
        <ChannelSchedule key={channel.id} channel={channel} />
      ) : (
        <div role="status" aria-label="Loading schedule">
          <Skeleton className="h-[36rem]" />
        </div>
      )}
    </>
  )
}
