import { formatDuration } from '@looptide/playhead/duration'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import type { LiveProgramme } from './player/live-state.ts'

const clockTime = (epochMs: number): string =>
  new Date(epochMs).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

type Shown = LiveProgramme & { video: { thumbnailUrl?: string | null } }

/** The next two programmes as the timeline has them. */
export function UpNext({ programmes }: { programmes: readonly Shown[] }) {
  if (programmes.length === 0) return null
  return (
    <section aria-label="Up Next" className="min-w-0">
      <h2 className="mb-1.5 text-xs font-semibold tracking-wider text-muted uppercase">Up Next</h2>
      <ol className="flex gap-3">
        {programmes.map(({ id, video, startsAtMs, endsAtMs }) => (
          <li key={id} className="flex w-1/2 min-w-0 items-center gap-2.5 @4xl:w-40 @6xl:w-60">
            <Thumbnail
              url={video.thumbnailUrl ?? null}
              className="hidden w-20 shrink-0 rounded-sm @6xl:block"
            />
            <div className="min-w-0 text-sm leading-snug">
              <p className="truncate font-medium">{video.title}</p>
              <p className="truncate text-muted">{video.artistName}</p>
              <p className="text-xs text-muted tabular-nums">
                {clockTime(startsAtMs)} • {formatDuration(endsAtMs - startsAtMs)}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
