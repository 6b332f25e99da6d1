import type { Channel } from '@looptide/contracts/http/channels'
import type { ScheduleVersion } from '@looptide/contracts/http/schedules'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { type ReactNode, useState } from 'react'
import { useAction } from '../../../lib/failures.ts'
import { Button } from '../../../ui/button.tsx'
import { ListPage } from '../../../ui/list-page.tsx'
import { toast } from '../../../ui/toast.ts'
import { useConfirm } from '../../../ui/use-confirm.tsx'
import { handleOfProfile, useProfiles } from '../../audit/api.ts'
import { scheduleActions, useVersions } from '../api.ts'
import { effectText } from '../model/sentences.ts'
import { browserZone, dateTimeIn } from '../model/zoned-time.ts'
import { VersionDialog } from './version-dialog.tsx'

const TRY_AGAIN = 'Please try again.'

/** The published versions, which can be viewed and restored, and the way back to the playlist. */
export function VersionList(props: {
  channel: Channel
  /** The draft, if there is one. */
  document: ScheduleDocument | undefined
  isInUse: boolean
  /** Whether versions can be restored and the schedule stopped, without an approval. */
  mayPublish: boolean
  empty: ReactNode
}) {
  const { channel, document } = props
  const timeZone = document?.timeZone ?? browserZone()
  const list = useVersions(channel.id)
  const profiles = useProfiles(
    (list.items ?? []).map(({ publishedBy }) => ({ adminUserId: publishedBy, targetUserId: null })),
  )
  const [viewed, setViewed] = useState<number>()
  const { isBusy, restore, stop, confirmation } = useVersionActions(channel, timeZone)
  return (
    <section aria-label="Versions" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ListPage
        list={list}
        loading="Loading versions"
        skeleton={{ count: 4, className: 'h-16' }}
        failed="Failed to load the versions."
        empty={props.empty}
      >
        {(versions) => (
          <ol
            aria-label="Versions"
            className="divide-y divide-line/70 rounded-lg border border-line/70 bg-panel"
          >
            {versions.map((version) => (
              <VersionRow
                key={version.version}
                version={version}
                timeZone={timeZone}
                author={authorName(version.publishedBy, profiles)}
                mayPublish={props.mayPublish}
                isBusy={isBusy}
                onView={() => setViewed(version.version)}
                onRestore={() => restore(version.version)}
              />
            ))}
          </ol>
        )}
      </ListPage>
      {props.isInUse && props.mayPublish && (
        <Button icon="remove" className="justify-self-start" isBusy={isBusy} onClick={stop}>
          Stop using the schedule
        </Button>
      )}
      {viewed !== undefined && (
        <VersionDialog
          channelId={channel.id}
          draft={document}
          version={viewed}
          onClose={() => setViewed(undefined)}
        />
      )}
      {confirmation}
    </section>
  )
}

function VersionRow(props: {
  version: ScheduleVersion
  timeZone: string
  author: string
  mayPublish: boolean
  isBusy: boolean
  onView: () => void
  onRestore: () => void
}) {
  const { version, publishedAt, isCurrent, restoredFrom, note } = props.version
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">
          Version {version}
          {isCurrent && ' · on the air'}
          {restoredFrom !== null && ` · restores version ${restoredFrom}`}
        </p>
        <p className="text-sm text-muted">
          {dateTimeIn(props.timeZone, Date.parse(publishedAt))} · {props.author}
        </p>
        {note !== '' && <p className="text-sm wrap-anywhere whitespace-pre-line">{note}</p>}
      </div>
      <div className="flex gap-2">
        <Button aria-label={`View version ${version}`} onClick={props.onView}>
          View
        </Button>
        {!isCurrent && props.mayPublish && (
          <Button isBusy={props.isBusy} aria-label={`Restore version ${version}`} onClick={props.onRestore}>
            Restore
          </Button>
        )}
      </div>
    </li>
  )
}

/** Restores a version and stops using the schedule, after a confirmation. */
function useVersionActions(channel: Channel, timeZone: string) {
  const { isBusy, run } = useAction()
  const { confirm, confirmation } = useConfirm()

  const restore = (version: number) =>
    confirm({
      title: `Restore version ${version}?`,
      confirmLabel: `Publish version ${version} again`,
      text: <p>It is published as a new version and replaces what is planned. The draft is kept.</p>,
      onConfirm: () =>
        run(
          async () => {
            const { version: next, ...effect } = await scheduleActions.restore(channel.id, version)
            toast({
              title: `Version ${version} is published again, as version ${next}`,
              description: effectText(effect, timeZone),
              tone: 'success',
            })
          },
          { title: 'Failed to restore the version', text: TRY_AGAIN },
        ),
    })
  const stop = () =>
    confirm({
      title: 'Stop using the schedule?',
      confirmLabel: 'Stop using the schedule',
      text: (
        <p>
          <bdi>{channel.name}</bdi> repeats its playlist again. The draft and all versions are kept.
        </p>
      ),
      onConfirm: () =>
        run(
          async () => {
            const effect = await scheduleActions.stopUsing(channel.id)
            toast({
              title: 'The channel repeats its playlist again',
              description: effectText(effect, timeZone),
              tone: 'success',
            })
          },
          { title: 'Failed to stop using the schedule', text: TRY_AGAIN },
        ),
    })
  return { isBusy, restore, stop, confirmation }
}

/** The admin who published a version. The demo content has none. */
function authorName(publishedBy: string | null, profiles: ReturnType<typeof useProfiles>): string {
  return publishedBy === null ? 'Demo content' : handleOfProfile(profiles.get(publishedBy))
}
