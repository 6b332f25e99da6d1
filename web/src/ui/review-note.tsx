import type { Video } from '@looptide/contracts/http/videos'
import { classNames } from './class-names.ts'

/** For the person who submitted a video: that it waits for review, or why it was rejected. */
export function ReviewNote({ video, className }: { video: Pick<Video, 'review'>; className?: string }) {
  if (!video.review) return null
  return (
    <span className={classNames('block text-sm wrap-anywhere text-muted', className)}>
      {reviewText(video.review)}
    </span>
  )
}

/** The state of a submitted video in words. */
function reviewText({ state, reason }: NonNullable<Video['review']>): string {
  if (state === 'submitted') return 'Waiting for review. Only you can see it.'
  return reason === null ? 'Not accepted' : `Not accepted: ${reason}`
}
