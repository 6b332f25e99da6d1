import { MAX_PLAYLIST_VIDEOS, type YoutubePlaylist } from '@looptide/contracts/http/metadata'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { MetadataConfig } from '../config.ts'
import type { QuotaLedger } from '../queue/quota-ledger.ts'
import { type AcquireCall, parseJson, toError } from './data-api-client.ts'
import { fetchYoutube } from './fetch-youtube.ts'

/** Maximum items of one `playlistItems.list` call. */
const PAGE_SIZE = 50
const YOUTUBE_ID = /^[A-Za-z0-9_-]{11}$/

const ItemPage = Type.Object({
  items: Type.Array(Type.Object({ contentDetails: Type.Object({ videoId: Type.String() }) })),
  nextPageToken: Type.Optional(Type.String()),
})

/** The playlist is private, deleted or unknown. YouTube does not distinguish these. */
export class PlaylistNotFoundError extends Error {}

/** YouTube Data API v3, `playlistItems.list`: 50 items per call for one unit of quota. */
export class PlaylistClient {
  readonly #baseUrl: string
  readonly #key: string
  readonly #acquire: AcquireCall

  constructor(options: { baseUrl: string; key: string; acquire: AcquireCall }) {
    this.#baseUrl = options.baseUrl
    this.#key = options.key
    this.#acquire = options.acquire
  }

  /** Returns the first {@link MAX_PLAYLIST_VIDEOS} distinct videos, in the playlist's order. */
  async read(playlistId: string): Promise<YoutubePlaylist> {
    const youtubeIds = new Set<string>()
    for (let pageToken: string | undefined; ; ) {
      const page = await this.#page(playlistId, pageToken)
      for (const { contentDetails } of page.items) {
        if (YOUTUBE_ID.test(contentDetails.videoId)) youtubeIds.add(contentDetails.videoId)
      }
      pageToken = page.nextPageToken
      if (pageToken === undefined || youtubeIds.size >= MAX_PLAYLIST_VIDEOS) {
        return {
          youtubeIds: [...youtubeIds].slice(0, MAX_PLAYLIST_VIDEOS),
          isComplete: pageToken === undefined && youtubeIds.size <= MAX_PLAYLIST_VIDEOS,
        }
      }
    }
  }

  async #page(playlistId: string, pageToken: string | undefined) {
    await this.#acquire()
    const url = new URL('/youtube/v3/playlistItems', this.#baseUrl)
    url.search = new URLSearchParams({
      part: 'contentDetails',
      playlistId,
      maxResults: String(PAGE_SIZE),
      key: this.#key,
      ...(pageToken === undefined ? {} : { pageToken }),
    }).toString()
    const { status, text } = await fetchYoutube(url)
    const body = parseJson(text)
    if (status === 404) throw new PlaylistNotFoundError()
    if (status !== 200) throw toError(status, body)
    if (!Check(ItemPage, body)) throw new Error('unexpected response from YouTube')
    return body
  }
}

/** Creates the client; null without an API key, because public pages do not list a whole playlist. */
export function playlistClient(
  { apiKey, apiUrl }: MetadataConfig['youtube'],
  ledger: QuotaLedger,
): PlaylistClient | null {
  if (apiKey === null) return null
  const acquire = async (): Promise<void> => {
    await ledger.waitForRateLimit()
    await ledger.spend()
  }
  return new PlaylistClient({ baseUrl: apiUrl, key: apiKey, acquire })
}
