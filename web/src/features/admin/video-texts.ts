import type { ChannelLoop } from '@looptide/contracts/http/loops'
import { countText, numberText } from '../../lib/count-text.ts'

/** A number of videos with the noun: "1 video", "2 videos". */
export const videoCountText = (count: number): string => countText(count, 'video')

/** The videos that the default channel plays without a playlist: "all 20 public videos". */
export const publicVideosText = ({ videosCount }: Pick<ChannelLoop, 'videosCount'>): string =>
  videosCount === 1 ? 'the only public video' : `all ${numberText(videosCount)} public videos`

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
