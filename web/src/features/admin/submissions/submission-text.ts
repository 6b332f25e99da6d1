import type { Video } from '@looptide/contracts/http/videos'
import { videoPageUrl } from '../../../lib/video-page-url.ts'

/** Whether the video has its own title; until then it has a placeholder, the same for each. */
export const hasTitle = (video: Video): boolean => video.metadataStatus === 'resolved'

/** How a submission is told from others: by the title of its video, or by its address. */
export const submissionName = (video: Video): string => (hasTitle(video) ? video.title : videoPageUrl(video))
