import type { Video } from '@looptide/contracts/http/videos'
import { Button } from '../../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { AddVideosForm } from './add-videos-form.tsx'
import { type MetadataProgress, useLibrary } from './api.ts'

/** Add New Videos, and the library itself, which tells of every change by itself. */
export function VideoLibrary() {
  const library = useLibrary()
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
      <section
        aria-labelledby="add-videos"
        className="grid gap-5 rounded-lg border border-line/70 bg-panel p-5"
      >
        <h2 id="add-videos" className="text-xl font-semibold">
          Add New Videos
        </h2>
        <AddVideosForm onAdded={library.take} />
      </section>
      <section aria-labelledby="library" className="grid min-w-0 gap-4">
        <h2 id="library" className="text-xl font-semibold">
          Video Library ({library.total ?? '…'})
        </h2>
        <LibraryList library={library} />
      </section>
    </div>
  )
}

function LibraryList({ library }: { library: ReturnType<typeof useLibrary> }) {
  const { videos, error, progress } = library
  if (!videos) {
    if (error) return <ErrorNotice text="Error loading videos" onRetry={library.reload} />
    return (
      <div role="status" aria-label="Loading the library" className="grid gap-2">
        {Array.from({ length: 6 }, (_, index) => (
          <Skeleton key={String(index)} className="h-16" />
        ))}
      </div>
    )
  }
  if (videos.length === 0) {
    return <EmptyNotice title="No videos yet">Add the first ones by their addresses.</EmptyNotice>
  }
  return (
    <>
      <ul className="divide-y divide-line rounded-lg border border-line/70 bg-panel">
        {videos.map((video) => (
          <Row
            key={video.id}
            video={video}
            progress={video.youtubeId ? progress.get(video.youtubeId) : undefined}
          />
        ))}
      </ul>
      {library.hasMore && (
        <Button className="justify-self-center" disabled={library.isLoadingMore} onClick={library.loadMore}>
          Show more
        </Button>
      )}
    </>
  )
}

function Row({ video, progress }: { video: Video; progress: MetadataProgress | undefined }) {
  return (
    <li className="flex items-center gap-4 p-3 [contain-intrinsic-height:auto_4.5rem] [content-visibility:auto]">
      <Thumbnail url={video.thumbnailUrl} className="w-24 shrink-0 rounded-sm" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{video.title}</p>
        <p className="truncate text-sm text-muted">
          {video.artistName} • {video.category ?? video.genre} • {video.viewCount} views
        </p>
        <MetadataLine video={video} progress={progress} />
      </div>
      <span className="shrink-0 text-sm text-muted tabular-nums">
        {video.durationAssumed ? (
          <span title="Assumed until the real length is known">≈ {video.duration}</span>
        ) : (
          video.duration
        )}
      </span>
    </li>
  )
}

const STEPS: Record<MetadataProgress['state'], string> = {
  queued: 'Queued',
  fetching: 'Fetching metadata...',
  done: 'Metadata found',
  failed: 'Failed',
}

/** How far the worker is with it: nothing once all is known. */
function MetadataLine({ video, progress }: { video: Video; progress: MetadataProgress | undefined }) {
  if (video.metadataStatus === 'unavailable') {
    return (
      <p className="truncate text-sm font-medium">
        ⚠ Unavailable: {video.unavailableReason ?? 'reason unknown'}
      </p>
    )
  }
  if (video.metadataStatus === 'resolved') return null
  const text = progress ? STEPS[progress.state] : 'Queued'
  return (
    <p className="truncate text-sm text-muted">
      {progress?.state === 'failed' && '⚠ '}
      {text}
      {progress?.reason ? `: ${progress.reason}` : ''}
    </p>
  )
}
