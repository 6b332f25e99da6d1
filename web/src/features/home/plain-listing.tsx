import type { Video } from '@looptide/contracts/http/videos'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { VideoGrid, VideoGridSkeleton } from '../../ui/video-grid.tsx'
import { usePlainListing } from './api.ts'

/** The catalogue without highlights and rows, if those cannot be loaded (docs/product/viewer.md §7, §8). */
export function PlainListing({
  onDetails,
  onRetry,
}: {
  onDetails: (video: Video) => void
  onRetry: () => void
}) {
  const { data, error, mutate } = usePlainListing(true)
  const retry = () => {
    onRetry()
    void mutate()
  }
  if (error && !data) return <ErrorNotice text="Failed to load videos" onRetry={retry} />
  return (
    <section aria-label="All Videos" className="mx-auto mt-6 grid max-w-[110rem] gap-5 px-4 sm:px-8">
      <div className="flex flex-wrap items-center gap-4">
        <h2 className="text-xl font-semibold">All Videos</h2>
        <Button icon="again" onClick={retry}>
          Try again
        </Button>
      </div>
      {data ? <VideoGrid videos={data.items} onOpen={onDetails} /> : <VideoGridSkeleton />}
    </section>
  )
}
