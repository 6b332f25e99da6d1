import { MAX_PLAYLIST_VIDEOS, type YoutubePlaylist } from '@looptide/contracts/http/metadata'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { MetadataConfig } from '../config.ts'
import type { QuotaLedger } from '../queue/quota-ledger.ts'
import { askYoutube } from './ask.ts'
import { errorOf, parseJson, type Turnstile } from './data-api-client.ts'

/** Most entries that one `playlistItems.list` call answers. */
const PAGE = 50
const YOUTUBE_ID = /^[A-Za-z0-9_-]{11}$/

const ItemPage = Type.Object({
  items: Type.Array(Type.Object({ contentDetails: Type.Object({ videoId: Type.String() }) })),
  nextPageToken: Type.Optional(Type.String()),
})

/** Private, gone, or never there: YouTube does not say which. */
export class NoSuchPlaylistError extends Error {}

/** YouTube Data API v3, `playlistItems.list`: 50 entries a call, one unit of quota. */
export class PlaylistClient {
  readonly #baseUrl: string
  readonly #key: string
  readonly #pass: Turnstile

  constructor(options: { baseUrl: string; key: string; pass: Turnstile }) {
    this.#baseUrl = options.baseUrl
    this.#key = options.key
    this.#pass = options.pass
  }

  /** The first {@link MAX_PLAYLIST_VIDEOS} videos, each once, in the playlist's order. */
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
    await this.#pass()
    const url = new URL('/youtube/v3/playlistItems', this.#baseUrl)
    url.search = new URLSearchParams({
      part: 'contentDetails',
      playlistId,
      maxResults: String(PAGE),
      key: this.#key,
      ...(pageToken === undefined ? {} : { pageToken }),
    }).toString()
    const { status, text } = await askYoutube(url)
    const body = parseJson(text)
    if (status === 404) throw new NoSuchPlaylistError()
    if (status !== 200) throw errorOf(status, body)
    if (!Check(ItemPage, body)) throw new Error('YouTube answered something else')
    return body
  }
}

/** Null without a key: the public pages do not tell a playlist whole. */
export function playlistClient(
  { apiKey, apiUrl }: MetadataConfig['youtube'],
  ledger: QuotaLedger,
): PlaylistClient | null {
  if (apiKey === null) return null
  const pass = async (): Promise<void> => {
    await ledger.takeTurn()
    await ledger.spend()
  }
  return new PlaylistClient({ baseUrl: apiUrl, key: apiKey, pass })
}
