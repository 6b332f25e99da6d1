import { parseWebUrl, parseYoutubeUrl } from '@looptide/contracts/youtube-url'

const PLAYLIST_ID = /^[A-Za-z0-9_-]{2,64}$/

/** The playlist id in the `list` parameter of a YouTube URL; null without one. */
export function playlistIdOf(text: string): string | null {
  const url = parseWebUrl(text.trim())
  if (url === null || parseYoutubeUrl(url) === null) return null
  const id = url.searchParams.get('list')
  return id !== null && PLAYLIST_ID.test(id) ? id : null
}
