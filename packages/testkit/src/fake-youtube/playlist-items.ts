import { createHash } from 'node:crypto'
import type { Answer } from './answer.ts'
import { apiError } from './data-api.ts'
import type { FakeVideos } from './videos.ts'

const PAGE = 50

/** A playlist, or the uploads of a channel if it has an `id` (`UC…`) or a `handle` (`@…`). */
export interface FakePlaylist {
  title: string
  youtubeIds: readonly string[]
  channel?: { id: string; handle?: string; user?: string }
}

export type FakePlaylists = ReadonlyMap<string, FakePlaylist>

/**
 * `GET /youtube/v3/playlistItems`: 50 entries per page; 404 for a private or unknown playlist. With the page's ETag in
 * `If-None-Match` it returns 304 without a body.
 */
export function listPlaylistItems(
  query: URLSearchParams,
  {
    playlists,
    videos,
    ifNoneMatch,
  }: { playlists: FakePlaylists; videos: FakeVideos; ifNoneMatch?: string | undefined },
): Answer {
  const ids = playlists.get(query.get('playlistId') ?? '')?.youtubeIds
  if (ids === undefined) {
    return apiError(404, 'playlistNotFound', 'The playlist identified with the request cannot be found.')
  }
  const from = Number(query.get('pageToken') ?? 0)
  const items = ids.slice(from, from + PAGE).map((videoId) => ({
    kind: 'youtube#playlistItem',
    contentDetails: { videoId },
    status: { privacyStatus: privacyOf(videoId, videos) },
  }))
  const next = from + PAGE < ids.length ? { nextPageToken: String(from + PAGE) } : {}
  const body = {
    kind: 'youtube#playlistItemListResponse',
    ...next,
    items,
    pageInfo: { totalResults: ids.length, resultsPerPage: PAGE },
  }
  const etag = createHash('sha1').update(JSON.stringify(body)).digest('base64url')
  return ifNoneMatch === etag ? { status: 304, text: '' } : { status: 200, json: { etag, ...body } }
}

function privacyOf(videoId: string, videos: FakeVideos): string {
  const state = videos.get(videoId)?.state ?? 'removed'
  return state === 'private' ? 'private' : state === 'removed' ? 'privacyStatusUnspecified' : 'public'
}

/** `GET /youtube/v3/playlists`: without items for an unknown id. */
export function listPlaylists(query: URLSearchParams, playlists: FakePlaylists): Answer {
  const id = query.get('id') ?? ''
  const playlist = playlists.get(id)
  const items =
    playlist === undefined
      ? []
      : [
          {
            id,
            snippet: { title: playlist.title },
            contentDetails: { itemCount: playlist.youtubeIds.length },
          },
        ]
  return { status: 200, json: { kind: 'youtube#playlistListResponse', items } }
}

/** `GET /youtube/v3/channels`: `items` is missing for an unknown channel. */
export function listChannels(query: URLSearchParams, playlists: FakePlaylists): Answer {
  const found = [...playlists].find(([, { channel }]) =>
    query.has('id')
      ? channel?.id === query.get('id')
      : query.has('forHandle')
        ? channel?.handle === query.get('forHandle')
        : channel !== undefined && channel.user === query.get('forUsername'),
  )
  if (found === undefined) return { status: 200, json: { kind: 'youtube#channelListResponse' } }
  const [uploads, { title, youtubeIds }] = found
  const item = {
    snippet: { title },
    contentDetails: { relatedPlaylists: { likes: '', uploads } },
    statistics: { videoCount: String(youtubeIds.length) },
  }
  return { status: 200, json: { kind: 'youtube#channelListResponse', items: [item] } }
}
