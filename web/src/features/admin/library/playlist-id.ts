import { readYoutubeAddress, toWebUrl } from '@looptide/contracts/youtube-address'

const PLAYLIST_ID = /^[A-Za-z0-9_-]{2,64}$/

/** The playlist that an address on YouTube names in its parameter `list`; null when it names none. */
export function playlistIdOf(text: string): string | null {
  const url = toWebUrl(text.trim())
  if (url === null || readYoutubeAddress(url) === null) return null
  const id = url.searchParams.get('list')
  return id !== null && PLAYLIST_ID.test(id) ? id : null
}
