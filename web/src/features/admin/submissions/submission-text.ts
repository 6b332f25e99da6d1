import type { Video } from '@looptide/contracts/http/videos'
import { videoPageUrl } from '../../../lib/video-page-url.ts'

/** Whether the title is known; until then all videos have the same placeholder. */
export const hasTitle = (video: Video): boolean => video.metadataStatus === 'resolved'

/** Name of a submission: the title of its video, or its URL while the title is unknown. */
export const submissionName = (video: Video): string => (hasTitle(video) ? video.title : videoPageUrl(video))
