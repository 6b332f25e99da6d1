import type { Channel } from '@looptide/contracts/http/channels'
import type { SimulateBody, Simulation } from '@looptide/contracts/http/simulation'
import { useState } from 'react'
import { clockTime } from '../../lib/time/clock-time.ts'
import { classNames } from '../../ui/class-names.ts'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ShortLoopWarning } from '../admin/short-loops.tsx'
import { LazyWhyDialog } from '../admin/why-button.tsx'
import { useSimulation } from './api.ts'
import { SimulatedLine } from './simulated-line.tsx'
import { UnplayableList } from './unplayable-list.tsx'

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
          <ShortLoopWarning loop={data.loop.after} />
          {data.programmes.length > 0 ? (
            <ol
              aria-label="Upcoming programmes"
              className={classNames(
                'overflow-y-auto overscroll-contain',
                isCompact ? 'max-h-56' : 'max-h-96',
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
