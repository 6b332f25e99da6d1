import { readYoutubeAddress, toWebUrl } from '@looptide/contracts/youtube-address'

const PLAYLIST_ID = /^[A-Za-z0-9_-]{2,64}$/

/** The playlist id in the `list` parameter of a YouTube URL; null without one. */
export function playlistIdOf(text: string): string | null {
  const url = toWebUrl(text.trim())
  if (url === null || readYoutubeAddress(url) === null) return null
  const id = url.searchParams.get('list')
  return id !== null && PLAYLIST_ID.test(id) ? id : null
}
