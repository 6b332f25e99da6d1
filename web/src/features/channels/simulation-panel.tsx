import type { Channel } from '@looptide/contracts/http/channels'
import type {
  SimulateBody,
  SimulatedProgramme,
  Simulation,
  UnplayableVideo,
} from '@looptide/contracts/http/simulation'
import { useState } from 'react'
import { clockTime } from '../../lib/time/date-locale.ts'
import { classNames } from '../../ui/class-names.ts'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ShortLoopWarning } from '../admin/short-loops.tsx'
import { LazyWhyDialog, WhyButton } from '../admin/why-button.tsx'
import { useSimulation } from './api.ts'

/** Preview of a channel's next three hours, with unsaved changes applied. */
export function SimulationPanel(props: { channel: Channel; changes: SimulateBody; isCompact?: boolean }) {
  const { channel, changes, isCompact } = props
  const { data, error, mutate, isValidating } = useSimulation(channel.id, changes)
  const [openId, setOpenId] = useState<string | null>(null)
  return (
    <section
      aria-label="What viewers will see"
      aria-busy={isValidating}
      className="grid min-w-0 gap-3 rounded-lg border border-line/70 bg-panel p-4"
    >
      <h3 className="font-semibold">What viewers will see</h3>
      {data ? (
        <>
          <p role="status" className="text-sm text-muted">
            {summary(data)}
          </p>
          {!data.schedule && <ShortLoopWarning loop={data.loop.after} />}
          {data.programmes.length > 0 ? (
            <ol
              aria-label="Upcoming programmes"
              className={classNames(
                'overflow-y-auto overscroll-contain',
                isCompact ? 'max-h-56' : 'max-h-[max(24rem,100dvh-24rem)]',
              )}
            >
              {data.programmes.map((programme) => (
                <SimulatedLine
                  key={programme.seq}
                  programme={programme}
                  isOnNow={data.isOnAir && programme.startsAtMs <= data.serverNowMs}
                  onWhy={programme.programmeId === null ? undefined : () => setOpenId(programme.programmeId)}
                />
              ))}
            </ol>
          ) : (
            <EmptyNotice title="Nothing to play" />
          )}
          {data.dropped.length > 0 && (
            <p className="text-sm break-words text-muted">
              <span className="font-semibold text-text">No longer scheduled: </span>
              {data.dropped
                .map(({ title, previousStartMs }) => `${title} (${clockTime(previousStartMs)})`)
                .join(', ')}
            </p>
          )}
          <UnplayableList videos={data.unplayable} count={data.unplayableCount} />
        </>
      ) : error ? (
        <ErrorNotice text="Failed to load the preview." onRetry={() => void mutate()} />
      ) : (
        <Skeleton className="h-64" />
      )}
      <LazyWhyDialog channelId={channel.id} programmeId={openId} onClose={() => setOpenId(null)} />
    </section>
  )
}

/** Summary of the preview: whether the channel is on the air, what changes, and repeated artists. */
function summary({ isOnAir, firstChangeMs, sameArtistCount, programmes }: Simulation): string {
  const state = isOnAir ? '' : 'The channel is off the air. This is what it would play. '
  const change =
    firstChangeMs === null ? 'No changes.' : `The programme changes from ${clockTime(firstChangeMs)}.`
  if (programmes.length === 0) return state + change
  const artists =
    sameArtistCount === 0
      ? 'No artist plays twice in a row.'
      : `${sameArtistCount} ${sameArtistCount === 1 ? 'video follows' : 'videos follow'} another by the same artist.`
  return `${state}${change} ${artists}`
}

/** A programme of the preview: start time, video, and how it differs from the current schedule. */
function SimulatedLine(props: {
  programme: SimulatedProgramme
  isOnNow: boolean
  onWhy: (() => void) | undefined
}) {
  const { programme, isOnNow, onWhy } = props
  const { title, artistName, startsAtMs, followsSameArtist } = programme
  const notes = [noteOf(programme, isOnNow), followsSameArtist && '⚠ Same artist as previous'].filter(Boolean)
  return (
    <li
      className={classNames(
        'grid min-h-12 grid-cols-[4.5rem_minmax(0,1fr)_auto] items-center gap-2 border-l-2 py-1.5 pl-2',
        programme.change === 'same' ? 'border-transparent' : 'border-accent',
      )}
    >
      <time dateTime={new Date(startsAtMs).toISOString()} className="text-sm text-muted tabular-nums">
        {clockTime(startsAtMs)}
      </time>
      <span className="min-w-0">
        <span className="block text-sm font-medium wrap-anywhere">{title}</span>
        <span className="block text-sm wrap-anywhere text-muted">{artistName}</span>
        {notes.length > 0 && <span className="block text-xs font-semibold">{notes.join(' · ')}</span>}
      </span>
      {onWhy && <WhyButton title={title} onPress={onWhy} />}
    </li>
  )
}

function noteOf({ change, previousStartMs, isFixed }: SimulatedProgramme, isOnNow: boolean): string | null {
  if (isOnNow) return 'On now, unchanged'
  if (isFixed) return 'Starting soon, unchanged'
  if (change === 'new') return '+ New'
  return change === 'moved' && previousStartMs !== null ? `↕ Moved from ${clockTime(previousStartMs)}` : null
}

const REASONS: Record<UnplayableVideo['reason'], string> = {
  removed: 'no longer in the library',
  quarantined: 'viewers could not play it',
  unavailable: 'no longer on YouTube',
  untitled: 'no title yet',
  unsupported: 'unsupported URL',
}

/** Videos of the playlist that cannot be played, with the reasons. */
function UnplayableList({ videos, count }: { videos: readonly UnplayableVideo[]; count: number }) {
  if (count === 0) return null
  return (
    <details className="text-sm">
      <summary className="cursor-pointer font-semibold">
        ⚠ {count} {count === 1 ? 'video' : 'videos'} cannot be played
      </summary>
      <ul aria-label="Videos that cannot be played" className="mt-2 grid max-h-48 gap-1 overflow-y-auto">
        {videos.map(({ videoId, title, reason }) => (
          <li key={videoId} className="break-words text-muted">
            <span className="text-text">{title}</span>: {REASONS[reason]}
          </li>
        ))}
      </ul>
    </details>
  )
}
