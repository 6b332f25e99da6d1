import { parseWebUrl, parseYoutubeUrl } from '@looptide/contracts/youtube-url'

const PLAYLIST_ID = /^[A-Za-z0-9_-]{2,64}$/

/** The playlist that an address on YouTube names in its parameter `list`; null when it names none. */
export function playlistIdOf(text: string): string | null {
  const url = parseWebUrl(text.trim())
  if (url === null || parseYoutubeUrl(url) === null) return null
  const id = url.searchParams.get('list')
  return id !== null && PLAYLIST_ID.test(id) ? id : null
}
