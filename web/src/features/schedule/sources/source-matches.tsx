import type { Source } from '@looptide/contracts/schedule'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { videoCountText } from '../../admin/video-texts.ts'
import { useSourceMatches } from '../api.ts'
import { durationText } from '../model/times.ts'

/** How many videos a source provides and, unless `isShort`, the first ten of them. Follows changes of the source. */
export function SourceMatches(props: { channelId: string; source: Source; isShort?: boolean }) {
  const { data, error, isValidating, mutate } = useSourceMatches(props.channelId, props.source)
  if (error && !isValidating) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 text-sm text-muted">
        Failed to count the videos
        <Button onClick={() => void mutate()}>Try again</Button>
      </div>
    )
  }
  if (!data) return <Skeleton className={props.isShort ? 'h-5 w-40' : 'h-64'} />
  const summary = `${videoCountText(data.count)}, ${durationText(data.totalDurationMs)}`
  if (props.isShort) return <p className="text-sm font-medium">{summary}</p>
  return (
    <section aria-label="Matching videos" aria-busy={isValidating} className="grid gap-2">
      <p role="status" className="font-semibold">
        {data.count === 0 ? 'No matching videos' : summary}
      </p>
      <ol className="grid gap-1 text-sm">
        {data.items.map(({ videoId, title, artistName, durationMs }) => (
          <li key={videoId} className="flex gap-3">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {title} <span className="text-muted">{artistName}</span>
            </span>
            <span className="text-muted tabular-nums">{durationText(durationMs)}</span>
          </li>
        ))}
      </ol>
      {data.count > data.items.length && (
        <p className="text-sm text-muted">and {data.count - data.items.length} more</p>
      )}
    </section>
  )
}
