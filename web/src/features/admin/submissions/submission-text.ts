import type { Video } from '@looptide/contracts/http/videos'
import { videoAddress } from '../../../lib/video-address.ts'

/** A number of videos in words: "1 video", "2 videos". */
export const countedVideos = (count: number): string => `${count} ${count === 1 ? 'video' : 'videos'}`

/** Whether the video has its own title; until then it has a placeholder, the same for each. */
export const hasTitle = (video: Video): boolean => video.metadataStatus === 'resolved'

/** How a submission is told from others: by the title of its video, or by its address. */
export const submissionName = (video: Video): string => (hasTitle(video) ? video.title : videoAddress(video))
