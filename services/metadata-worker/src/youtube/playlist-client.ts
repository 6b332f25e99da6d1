import { MAX_FOLLOWED_ITEMS } from '@looptide/contracts/http/followed-lists'
import {
  MAX_PLAYLIST_VIDEOS,
  type YoutubeListPreview,
  type YoutubePlaylist,
} from '@looptide/contracts/http/metadata'
import { cleanLine } from '@looptide/contracts/text'
import type { YoutubeListName } from '@looptide/contracts/youtube-url'
import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import type { MetadataConfig } from '../config.ts'
import type { QuotaLedger } from '../queue/quota-ledger.ts'
import { type AcquireCall, parseJson, toError } from './data-api-client.ts'
import { fetchYoutube } from './fetch-youtube.ts'

/** Maximum items of one `playlistItems.list` call. */
const PAGE_SIZE = 50
const YOUTUBE_ID = /^[A-Za-z0-9_-]{11}$/
/** An item that is deleted (`privacyStatusUnspecified`) or private. It is read when it is public. */
const HIDDEN_STATUSES = new Set(['private', 'privacyStatusUnspecified'])

const ItemPage = Type.Object({
  etag: Type.Optional(Type.String({ maxLength: 256 })),
  pageInfo: Type.Optional(Type.Object({ totalResults: Type.Integer({ minimum: 0 }) })),
  items: Type.Array(
    Type.Object({
      contentDetails: Type.Object({ videoId: Type.String() }),
      status: Type.Optional(Type.Object({ privacyStatus: Type.Optional(Type.String()) })),
    }),
  ),
  nextPageToken: Type.Optional(Type.String()),
})
const Snippet = Type.Object({ title: Type.String() })
const PlaylistList = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String({ maxLength: 128 }),
      snippet: Snippet,
      contentDetails: Type.Optional(Type.Object({ itemCount: Type.Optional(Type.Integer({ minimum: 0 })) })),
    }),
  ),
})
const ChannelList = Type.Object({
  items: Type.Optional(
    Type.Array(
      Type.Object({
        snippet: Snippet,
        contentDetails: Type.Object({
          relatedPlaylists: Type.Object({ uploads: Type.String({ minLength: 1, maxLength: 128 }) }),
        }),
        // A number as text.
        statistics: Type.Optional(Type.Object({ videoCount: Type.Optional(Type.String()) })),
      }),
    ),
  ),
})

/** The playlist or channel is private, deleted or unknown. YouTube does not distinguish these. */
export class PlaylistNotFoundError extends Error {}

/** A playlist, or the playlist of a channel's uploads. */
export interface YoutubeList extends YoutubeListPreview {
  playlistId: string
}

/** A request to read a playlist: see `catalogue.playlist.requested.v1`. */
export interface ReadingRequest {
  playlistId: string
  etag: string | null
  /** For a channel, the first items of an earlier reading: this reading ends at the first page with one of them. */
  newestIds: readonly string[]
  isChannel: boolean
}

export interface Reading {
  youtubeIds: string[]
  /** Null if nothing has changed. */
  itemCount: number | null
  isFull: boolean
  etag: string | null
  newestIds: string[]
}

/** YouTube Data API v3: playlists and channels, and 50 of their items per call. Each call costs one unit of quota. */
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
    for await (const page of this.#pages(playlistId)) {
      for (const id of page.ids) youtubeIds.add(id)
      if (youtubeIds.size < MAX_PLAYLIST_VIDEOS) continue
      const isComplete = page.isLast && youtubeIds.size <= MAX_PLAYLIST_VIDEOS
      return { youtubeIds: [...youtubeIds].slice(0, MAX_PLAYLIST_VIDEOS), isComplete }
    }
    return { youtubeIds: [...youtubeIds], isComplete: true }
  }

  /**
   * Returns up to {@link MAX_FOLLOWED_ITEMS} items: none if the first page still has the ETag of the request. The first page
   * contains the number of items, so its ETag also changes when an item is added at the end.
   */
  async readNew({ playlistId, etag, newestIds, isChannel }: ReadingRequest): Promise<Reading> {
    const youtubeIds = new Set<string>()
    const known = new Set(newestIds)
    let first: Pick<Reading, 'itemCount' | 'etag' | 'newestIds'> | undefined
    for await (const page of this.#pages(playlistId, etag)) {
      first ??= {
        itemCount: page.itemCount,
        etag: page.etag,
        newestIds: isChannel ? page.ids : [],
      }
      for (const id of page.ids) youtubeIds.add(id)
      const isKnown = page.ids.some((id) => known.has(id))
      if (isKnown || youtubeIds.size >= MAX_FOLLOWED_ITEMS) {
        const ids = [...youtubeIds].slice(0, MAX_FOLLOWED_ITEMS)
        return { ...first, youtubeIds: ids, isFull: !isKnown }
      }
    }
    return first === undefined
      ? { youtubeIds: [], itemCount: null, isFull: false, etag, newestIds: [...newestIds] }
      : { ...first, youtubeIds: [...youtubeIds], isFull: true }
  }

  /** The title and the number of items of a playlist or channel. */
  async describe({ kind, id }: YoutubeListName): Promise<YoutubeList> {
    return kind === 'playlist' ? this.#playlist(id) : this.#channel(kind, id)
  }

  async #playlist(id: string): Promise<YoutubeList> {
    const { items } = await this.#get('playlists', PlaylistList, { part: 'snippet,contentDetails', id })
    const [item] = items
    if (item === undefined) throw new PlaylistNotFoundError()
    const itemCount = item.contentDetails?.itemCount ?? null
    return { kind: 'playlist', playlistId: item.id, title: cleanLine(item.snippet.title), itemCount }
  }

  async #channel(kind: 'channel' | 'handle' | 'user', id: string): Promise<YoutubeList> {
    const filter = { channel: 'id', handle: 'forHandle', user: 'forUsername' }[kind]
    const part = 'snippet,contentDetails,statistics'
    // YouTube leaves `items` out if there is no such channel.
    const { items = [] } = await this.#get('channels', ChannelList, { part, [filter]: id })
    const [item] = items
    if (item === undefined) throw new PlaylistNotFoundError()
    const count = Number(item.statistics?.videoCount)
    return {
      kind: 'channel',
      playlistId: item.contentDetails.relatedPlaylists.uploads,
      title: cleanLine(item.snippet.title),
      itemCount: Number.isSafeInteger(count) && count >= 0 ? count : null,
    }
  }

  /** The pages of a playlist; none if the first one still has this ETag. */
  async *#pages(playlistId: string, etag: string | null = null) {
    for (let pageToken: string | undefined, isFirst = true; isFirst || pageToken !== undefined; ) {
      const page: Static<typeof ItemPage> | null = await this.#get(
        'playlistItems',
        ItemPage,
        {
          part: 'contentDetails,status',
          playlistId,
          maxResults: String(PAGE_SIZE),
          ...(pageToken === undefined ? {} : { pageToken }),
        },
        isFirst ? etag : null,
      )
      if (page === null) return
      isFirst = false
      pageToken = page.nextPageToken
      yield {
        ids: publicIds(page),
        isLast: pageToken === undefined,
        etag: page.etag ?? null,
        itemCount: page.pageInfo?.totalResults ?? null,
      }
    }
  }

  /** Null if `etag` is given and YouTube answers that nothing has changed. */
  async #get<T extends TSchema>(
    resource: string,
    schema: T,
    query: Record<string, string>,
  ): Promise<Static<T>>
  async #get<T extends TSchema>(
    resource: string,
    schema: T,
    query: Record<string, string>,
    etag: string | null,
  ): Promise<Static<T> | null>
  async #get<T extends TSchema>(
    resource: string,
    schema: T,
    query: Record<string, string>,
    etag: string | null = null,
  ): Promise<Static<T> | null> {
    await this.#acquire()
    const url = new URL(`/youtube/v3/${resource}`, this.#baseUrl)
    url.search = new URLSearchParams({ ...query, key: this.#key }).toString()
    const { status, text } = await fetchYoutube(url, etag === null ? {} : { 'if-none-match': etag })
    if (status === 304 && etag !== null) return null
    const body = parseJson(text)
    if (status === 404) throw new PlaylistNotFoundError()
    if (status !== 200) throw toError(status, body)
    if (!Check(schema, body)) throw new Error('unexpected response from YouTube')
    return body
  }
}

const publicIds = ({ items }: Static<typeof ItemPage>): string[] =>
  items.flatMap(({ contentDetails: { videoId }, status }) =>
    YOUTUBE_ID.test(videoId) && !HIDDEN_STATUSES.has(status?.privacyStatus ?? '') ? [videoId] : [],
  )

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
