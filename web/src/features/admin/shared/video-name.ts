import type { Video } from '@looptide/contracts/http/videos'
import { videoPageUrl } from '../../../lib/video-page-url.ts'

/** Title of every video until its metadata is found (docs/product/admin.md §4). */
const PLACEHOLDER_TITLE = 'Loading...'

export const hasTitle = ({ title }: Video): boolean => title !== PLACEHOLDER_TITLE

/** Name of a video that distinguishes it from others: its title, or its URL while the title is unknown. */
export const videoName = (video: Video): string => (hasTitle(video) ? video.title : videoPageUrl(video))
