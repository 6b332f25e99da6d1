import type { Channel } from '@looptide/contracts/http/channels'
import type { SimulateBody, Simulation } from '@looptide/contracts/http/simulation'
import { useState } from 'react'
import { clockTime } from '../../../lib/clock-time.ts'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useSimulation } from './api.ts'
import { AskedWhy } from './asked-why.tsx'
import { ShortListWarning } from './short-list-warning.tsx'
import { SimulatedLine } from './simulated-line.tsx'
import { UnplayableList } from './unplayable-list.tsx'

/** The next three hours of a channel, as they are or as a change would make them. */
export function SimulationPanel(props: { channel: Channel; changes: SimulateBody; isCompact?: boolean }) {
  const { channel, changes, isCompact } = props
  const { data, error, mutate, isValidating } = useSimulation(channel.id, changes)
  const [askedId, setAskedId] = useState<string | null>(null)
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
          <ShortListWarning loop={data.loop.after} />
          {data.programmes.length > 0 ? (
            <ol
              aria-label="Next hours"
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
                  onWhy={programme.programmeId === null ? undefined : () => setAskedId(programme.programmeId)}
                />
              ))}
            </ol>
          ) : (
            <EmptyNotice title="Nothing to play" />
          )}
          {data.dropped.length > 0 && (
            <p className="text-sm break-words text-muted">
              <span className="font-semibold text-text">Not on any more in these hours: </span>
              {data.dropped
                .map(({ title, previousStartMs }) => `${title} (${clockTime(previousStartMs)})`)
                .join(', ')}
            </p>
          )}
          <UnplayableList videos={data.unplayable} count={data.unplayableCount} />
        </>
      ) : error ? (
        <ErrorNotice text="The next hours could not be simulated." onRetry={() => void mutate()} />
      ) : (
        <Skeleton className="h-64" />
      )}
      <AskedWhy channelId={channel.id} programmeId={askedId} onClose={() => setAskedId(null)} />
    </section>
  )
}

/** In a sentence or two: whether it is on the air, what changes, and whether artists meet. */
function summary({ isOnAir, firstChangeMs, sameArtistCount, programmes }: Simulation): string {
  const state = isOnAir ? '' : 'The channel is off the air; this is what a start would bring. '
  const change =
    firstChangeMs === null ? 'Nothing changes.' : `The programme changes from ${clockTime(firstChangeMs)} on.`
  if (programmes.length === 0) return state + change
  const artists =
    sameArtistCount === 0
      ? 'No artist follows itself.'
      : `${sameArtistCount} ${sameArtistCount === 1 ? 'video follows' : 'videos follow'} one of the same artist.`
  return `${state}${change} ${artists}`
}
