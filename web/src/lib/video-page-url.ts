import type { Video } from '@looptide/contracts/http/videos'

/** The URL of a video's page on YouTube, or of its media file. */
export const videoPageUrl = ({ youtubeId, videoUrl }: Video): string =>
  youtubeId ? `https://www.youtube.com/watch?v=${youtubeId}` : videoUrl
