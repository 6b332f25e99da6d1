import { parseYoutubeListUrl } from '@looptide/contracts/youtube-url'

/** The playlist id in the `list` parameter of a YouTube URL; null without one. */
export function playlistIdOf(text: string): string | null {
  const list = parseYoutubeListUrl(text)
  return list?.kind === 'playlist' ? list.id : null
}
