import type { Answer } from './answer.ts'
import { apiError } from './data-api.ts'

const PAGE = 50

/** `GET /youtube/v3/playlistItems`: 50 entries a page; what is private or unknown is not found. */
export function listPlaylistItems(
  query: URLSearchParams,
  playlists: ReadonlyMap<string, readonly string[]>,
): Answer {
  const ids = playlists.get(query.get('playlistId') ?? '')
  if (ids === undefined) {
    return apiError(404, 'playlistNotFound', 'The playlist identified with the request cannot be found.')
  }
  const from = Number(query.get('pageToken') ?? 0)
  const items = ids.slice(from, from + PAGE).map((videoId) => ({ contentDetails: { videoId } }))
  const next = from + PAGE < ids.length ? { nextPageToken: String(from + PAGE) } : {}
  return { status: 200, json: { kind: 'youtube#playlistItemListResponse', items, ...next } }
}
