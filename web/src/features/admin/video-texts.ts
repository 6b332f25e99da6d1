import type { ChannelLoop } from '@looptide/contracts/http/loops'
import type { Video } from '@looptide/contracts/http/videos'
import { videoPageUrl } from '../../lib/video-page-url.ts'

/** A number of videos with the noun: "1 video", "2 videos". */
export const videoCountText = (count: number): string => `${count} ${count === 1 ? 'video' : 'videos'}`

/** The videos that the default channel plays without a playlist: "all 20 public videos". */
export const publicVideosText = ({ videosCount }: Pick<ChannelLoop, 'videosCount'>): string =>
  videosCount === 1 ? 'the only public video' : `all ${videosCount} public videos`

/** Title of every video until its metadata is found (docs/product/admin.md §4). */
const PLACEHOLDER_TITLE = 'Loading...'

/** Whether the title is known: until metadata arrives, a video has the placeholder. */
export const hasTitle = ({ title }: Video): boolean => title !== PLACEHOLDER_TITLE

/** Name of a video that distinguishes it from others: its title, or its URL while the title is unknown. */
export const videoName = (video: Video): string => (hasTitle(video) ? video.title : videoPageUrl(video))

const REASONS: Record<string, string> = {
  removed: 'removed from YouTube',
  private: 'private on YouTube',
  not_embeddable: 'embedding not allowed',
  age_restricted: 'age-restricted on YouTube',
  region_blocked: 'blocked in all regions',
  upcoming: 'has not started on YouTube',
  live: 'live on YouTube',
  bad_id: 'unknown video ID',
  unsupported_address: 'unsupported URL',
}

/** Why a video is unavailable, as a text. Reasons that are not codes of the metadata worker are returned unchanged. */
export const unavailableReasonText = (reason: string): string => REASONS[reason] ?? reason
