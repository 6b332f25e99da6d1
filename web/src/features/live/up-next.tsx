import { formatDuration } from '@looptide/playhead/duration'
import { useBrand } from '../../lib/api/use-config.ts'
import { clockTime } from '../../lib/time/date-locale.ts'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import type { LiveVideoProgramme } from './player/live-state.ts'

type Shown = LiveVideoProgramme & { video: { thumbnailUrl?: string | null } }
interface Entry {
  title: string
  artistName: string
  thumbnailUrl: string | null
  when: string
}

/** docs/product/viewer.md §4: two placeholders while there is no list. */
const placeholder = (artistName: string): Entry => ({
  title: 'Continuous Live Stream',
  artistName,
  thumbnailUrl: null,
  when: 'To be announced',
})

const toEntry = ({ video, startsAtMs, endsAtMs }: Shown): Entry => ({
  title: video.title,
  artistName: video.artistName,
  thumbnailUrl: video.thumbnailUrl ?? null,
  when: `${clockTime(startsAtMs)} • ${formatDuration(endsAtMs - startsAtMs)}`,
})

/** The next two videos of the timeline. */
export function UpNext({ programmes, className }: { programmes: readonly Shown[]; className?: string }) {
  const { shortName } = useBrand()
  const none = placeholder(shortName)
  const entries = programmes.length === 0 ? [none, none] : programmes.map(toEntry)
  return (
    <section aria-label="Up Next" className={className}>
      <h2 className="mb-2.5 text-xs font-semibold tracking-wider text-muted uppercase tv:text-sm">Up Next</h2>
      <ol className="grid grid-cols-2 gap-3 overlay:grid-cols-1 roomy:grid-cols-2">
        {/* By place: a video that moves up replaces the text there, and nothing moves. */}
        {entries.map(({ title, artistName, thumbnailUrl, when }, index) => (
          <li key={String(index)} className="flex min-w-0 items-center gap-3">
            <Thumbnail
              url={thumbnailUrl}
              className="hidden w-24 shrink-0 rounded-sm beside:block roomy:hidden"
            />
            <div className="min-w-0 text-sm leading-snug tv:text-base">
              <p className="truncate font-medium">{title}</p>
              <p className="truncate text-muted">{artistName}</p>
              <p className="truncate text-xs text-muted tabular-nums tv:text-sm">{when}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
