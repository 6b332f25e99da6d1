import type { CurationItem, Video } from '@looptide/contracts/http/videos'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { useHome } from '../../home/api.ts'

/** Videos shown per row; enough to see how an automatically filled row starts. */
const SHOWN = 6

/** Preview of the home page as viewers see it, with curated videos marked. */
export function HomePreview({ items }: { items: readonly CurationItem[] }) {
  const { data, error, mutate } = useHome()
  const curatedIds = (sectionType: CurationItem['sectionType'], name: string | null = null) =>
    new Set(
      items.flatMap((item) =>
        item.isActive && item.sectionType === sectionType && item.sectionName === name ? item.videoId : [],
      ),
    )
  return (
    <section
      aria-labelledby="home-preview"
      className="grid gap-4 rounded-lg border border-line/70 bg-deep p-5"
    >
      <div>
        <h2 id="home-preview" className="text-lg font-semibold">
          What viewers see
        </h2>
        <p className="text-sm text-muted">Changes appear on all open home pages immediately.</p>
      </div>
      {data ? (
        <>
          <PreviewRow title="Highlights" videos={data.hero} curatedIds={curatedIds('hero')} />
          {data.rows.map(({ title, videos }, index) => (
            <PreviewRow
              key={`${index} ${title}`}
              title={title}
              videos={videos}
              curatedIds={curatedIds(title === 'Featured Content' ? 'featured' : 'category', titleOf(title))}
            />
          ))}
        </>
      ) : error ? (
        <div role="alert" className="flex flex-wrap items-center gap-3 text-sm text-muted">
          Failed to load videos
          <Button onClick={() => void mutate()}>Try again</Button>
        </div>
      ) : (
        <div role="status" aria-label="Loading preview" className="grid gap-3">
          <Skeleton className="h-28" />
          <Skeleton className="h-28" />
          <Skeleton className="h-28" />
        </div>
      )}
    </section>
  )
}

const titleOf = (title: string): string | null => (title === 'Featured Content' ? null : title)

function PreviewRow(props: { title: string; videos: readonly Video[]; curatedIds: ReadonlySet<string> }) {
  return (
    <div className="grid gap-1.5">
      <h3 className="truncate text-sm font-semibold">{props.title}</h3>
      <ul aria-label={`Preview of ${props.title}`} className="grid grid-cols-3 gap-2">
        {props.videos.slice(0, SHOWN).map((video) => (
          <li key={video.id} className="min-w-0">
            <Thumbnail url={video.thumbnailUrl} className="rounded-sm ring-1 ring-line/50" />
            <span className="mt-1 block truncate text-xs">
              {props.curatedIds.has(video.id) && (
                <span className="font-bold text-accent">
                  <span aria-hidden="true">★</span>
                  <span className="sr-only">Selected:</span>{' '}
                </span>
              )}
              {video.title}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
