import type { Channel } from '@looptide/contracts/http/channels'
import type { Permission } from '@looptide/contracts/permissions'
import { textKey } from '@looptide/contracts/text'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { numberText } from '../../lib/count-text.ts'
import { useFailureToast } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { ScrollingTabs } from '../../ui/scrolling-tabs.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Tab } from '../../ui/tabs.tsx'
import { useShortLoops } from '../admin/short-loops.tsx'
import { StatusBadge } from '../admin/status-badge.tsx'
import { useChannels } from '../admin/use-channels.ts'
import { usePlannedUntil, useViewers } from './api.ts'
import { ChannelCard } from './channel-card.tsx'
import { DeadLetters } from './dead-letters/dead-letters.tsx'
import { HealthBoard } from './health/health-board.tsx'
import { MetadataQueue } from './metadata/metadata-queue.tsx'
import { QuarantineTab } from './quarantine/quarantined-videos.tsx'
import { useStreamControls } from './use-stream-controls.tsx'

type ManagerTab = 'streams' | 'control' | 'quarantine' | 'metadata' | 'dead-letters' | 'health'

const TABS: readonly (Tab<ManagerTab> & { permission: Permission })[] = [
  { id: 'streams', label: 'Streams', permission: 'schedules:edit', content: <Streams /> },
  { id: 'control', label: 'Control', permission: 'channels:manage', content: <StreamControl /> },
  { id: 'quarantine', label: 'Quarantine', permission: 'schedules:edit', content: <QuarantineTab /> },
  { id: 'metadata', label: 'Metadata', permission: 'videos:edit', content: <MetadataQueue /> },
  { id: 'dead-letters', label: 'Dead Letters', permission: 'system:operate', content: <DeadLetters /> },
  { id: 'health', label: 'Health', permission: 'system:operate', content: <HealthBoard /> },
]

/**
 * 24/7 Stream Manager: channels and their streams, quarantine, metadata, dead letters and health, as far as the role
 * allows.
 */
export function StreamManager() {
  const { may } = useSession()
  // A link to a tab may also arrive while the section is open.
  const [parameters] = useSearchParams()
  const wanted = TABS.find(({ id }) => id === parameters.get('manager'))?.id
  const [tab, setTab] = useState<ManagerTab>(wanted ?? 'streams')
  const [seen, setSeen] = useState(wanted)
  if (wanted !== seen) {
    setSeen(wanted)
    if (wanted) setTab(wanted)
  }
  const tabs = TABS.filter(({ permission }) => may(permission))
  if (tabs.length === 0) return null
  return (
    <section aria-labelledby="stream-manager" className="grid min-w-0 gap-4">
      <h2 id="stream-manager" className="text-xl font-semibold">
        24/7 Stream Manager
      </h2>
      <ScrollingTabs
        label="24/7 Stream Manager"
        tabs={tabs}
        value={tab}
        onChange={setTab}
        listClassName="*:px-3 sm:w-fit"
      />
    </section>
  )
}

function Streams() {
  const channels = useChannels()
  const viewers = useViewers()
  const plannedUntil = usePlannedUntil()
  const shortLoops = useShortLoops()
  return (
    <ChannelList channels={channels} className="grid gap-4 lg:grid-cols-2">
      {(channel) => (
        <ChannelCard
          channel={channel}
          viewers={viewers && (viewers.get(channel.id) ?? 0)}
          plannedUntilMs={plannedUntil?.get(channel.id)}
          shortLoop={shortLoops.get(channel.id)}
        />
      )}
    </ChannelList>
  )
}

/**
 * Channel and Stream Control (docs/product/admin.md §2): one line per channel with Start, Stop and Reset, for those who may use them.
 */
function StreamControl() {
  const { may } = useSession()
  return may('channels:manage') ? <Control /> : null
}

function Control() {
  const channels = useChannels()
  const viewers = useViewers()
  return (
    <section aria-labelledby="stream-control" className="grid gap-4">
      <h3 id="stream-control" className="text-lg font-semibold">
        Channel and Stream Control
      </h3>
      <ChannelList
        channels={channels}
        className="divide-y divide-line rounded-lg border border-line/70 bg-panel"
      >
        {(channel) => <ControlLine channel={channel} viewers={viewers && (viewers.get(channel.id) ?? 0)} />}
      </ChannelList>
    </section>
  )
}

function ControlLine({ channel, viewers }: { channel: Channel; viewers: number | undefined }) {
  const controls = useStreamControls(channel, 'control')
  const { isBusy } = controls
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
      <legend className="sr-only">{channel.name}</legend>
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">{channel.name}</p>
        <p className="text-sm text-muted tabular-nums">
          {viewers === undefined ? '…' : numberText(viewers)} watching
        </p>
      </div>
      <StatusBadge status={controls.status} />
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" isBusy={isBusy} disabled={channel.status === 'live'} onClick={controls.start}>
          Start
        </Button>
        <Button isBusy={isBusy} disabled={channel.status === 'idle'} onClick={controls.confirmStop}>
          Stop
        </Button>
        <Button isBusy={isBusy} onClick={controls.confirmReset}>
          Reset
        </Button>
      </div>
      {controls.confirmation}
    </fieldset>
  )
}

/** Number of channels from which a search field is shown. */
const SEARCH_FROM = 9
const PAGE_SIZE = 12

/** All channels in order, each rendered by `children`, with a search field if there are many. */
function ChannelList(props: {
  channels: ReturnType<typeof useChannels>
  className: string
  children: (channel: Channel) => ReactNode
}) {
  const { data, error, mutate } = props.channels
  useFailureToast(data ? undefined : error, { title: 'Error', text: 'Failed to fetch channels' })
  const [text, setText] = useState('')
  const [shown, setShown] = useState(PAGE_SIZE)
  if (!data) {
    if (error) return <ErrorNotice text="Failed to fetch channels" onRetry={() => void mutate()} />
    return (
      <div role="status" aria-label="Loading channels" className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-72" />
        <Skeleton className="h-72" />
      </div>
    )
  }
  if (data.items.length === 0) {
    return (
      <EmptyNotice title="No channels yet">
        <Link to={paths.admin('channels')} className={buttonClass('primary')}>
          Channel Manager
        </Link>
      </EmptyNotice>
    )
  }
  const query = textKey(text)
  const found = data.items
    .filter(({ name }) => name.toLowerCase().includes(query))
    .toSorted((a, b) => a.position - b.position)
  return (
    <div className="grid gap-4">
      {data.items.length >= SEARCH_FROM && (
        <TextField
          label="Search channels"
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {found.length === 0 ? (
        <p className="py-6 text-center text-muted">No matching channels.</p>
      ) : (
        <ul className={props.className}>
          {found.slice(0, shown).map((channel) => (
            <li key={channel.id}>{props.children(channel)}</li>
          ))}
        </ul>
      )}
      {found.length > shown && (
        <Button className="justify-self-center" onClick={() => setShown(shown + PAGE_SIZE)}>
          Show more
        </Button>
      )}
    </div>
  )
}
