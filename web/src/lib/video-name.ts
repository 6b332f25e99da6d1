import { PLACEHOLDER_TITLE, type Video } from '@looptide/contracts/http/videos'
import { videoPageUrl } from './video-page-url.ts'

/** Whether the title is known: until metadata arrives, a video has the placeholder. */
export const hasTitle = ({ title }: Pick<Video, 'title'>): boolean => title !== PLACEHOLDER_TITLE

/** Name of a video that distinguishes it from others: its title, or its URL while the title is unknown. */
export const videoName = (video: Video): string => (hasTitle(video) ? video.title : videoPageUrl(video))
