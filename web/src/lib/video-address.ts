import type { Video } from '@looptide/contracts/http/videos'

/** The page of a video on YouTube, or the address of a media file. */
export const videoAddress = ({ youtubeId, videoUrl }: Video): string =>
  youtubeId ? `https://www.youtube.com/watch?v=${youtubeId}` : videoUrl
