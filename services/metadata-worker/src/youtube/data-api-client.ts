import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { askYoutube } from './ask.ts'
import { parseIsoDuration } from './iso-duration.ts'
import { artistFromChannel, type Outcome, QuotaOutError, thumbnailOf, type YoutubeClient } from './outcome.ts'
import { blockedRegions } from './regions.ts'

/** Most ids that one `videos.list` call takes. */
const BATCH = 50

const Item = Type.Object({
  id: Type.String(),
  snippet: Type.Object({
    title: Type.String(),
    description: Type.Optional(Type.String()),
    channelTitle: Type.Optional(Type.String()),
    thumbnails: Type.Optional(Type.Record(Type.String(), Type.Object({ url: Type.String() }))),
  }),
  contentDetails: Type.Object({
    duration: Type.Optional(Type.String()),
    regionRestriction: Type.Optional(
      Type.Object({
        allowed: Type.Optional(Type.Array(Type.String())),
        blocked: Type.Optional(Type.Array(Type.String())),
      }),
    ),
    contentRating: Type.Optional(Type.Object({ ytRating: Type.Optional(Type.String()) })),
  }),
  status: Type.Object({
    uploadStatus: Type.Optional(Type.String()),
    privacyStatus: Type.Optional(Type.String()),
    embeddable: Type.Optional(Type.Boolean()),
  }),
})
type Item = Static<typeof Item>
const VideoList = Type.Object({ items: Type.Array(Type.Unknown()) })
const ApiError = Type.Object({
  error: Type.Object({
    message: Type.Optional(Type.String()),
    errors: Type.Optional(Type.Array(Type.Object({ reason: Type.Optional(Type.String()) }))),
  }),
})

const OUT_OF_QUOTA = new Set(['quotaExceeded', 'dailyLimitExceeded'])
const TOO_FAST = new Set(['rateLimitExceeded', 'userRateLimitExceeded'])
const GONE = new Set(['deleted', 'failed', 'rejected'])

/** Before each call: takes one unit of quota, or throws {@link QuotaOutError}; waits for its turn. */
export type Turnstile = () => Promise<void>

/** YouTube Data API v3, `videos.list`: 50 videos a call, one unit of quota. */
export class DataApiClient implements YoutubeClient {
  readonly mode = 'api'
  readonly batchSize = BATCH
  readonly #baseUrl: string
  readonly #key: string
  readonly #pass: Turnstile

  constructor(options: { baseUrl: string; key: string; pass: Turnstile }) {
    this.#baseUrl = options.baseUrl
    this.#key = options.key
    this.#pass = options.pass
  }

  async lookUp(youtubeIds: readonly string[]): Promise<Map<string, Outcome>> {
    await this.#pass()
    const url = new URL('/youtube/v3/videos', this.#baseUrl)
    url.search = new URLSearchParams({
      part: 'snippet,contentDetails,status',
      id: youtubeIds.join(','),
      maxResults: String(BATCH),
      key: this.#key,
    }).toString()
    const { status, text } = await askYoutube(url)
    const body = parseJson(text)
    if (status !== 200) throw errorOf(status, body)
    if (!Check(VideoList, body)) throw new Error('YouTube answered something else')
    const items = new Map(body.items.flatMap((item) => (Check(Item, item) ? [[item.id, item] as const] : [])))
    return new Map(youtubeIds.map((id) => [id, outcomeOf(items.get(id))]))
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function errorOf(status: number, body: unknown): Error {
  const reasons = Check(ApiError, body) ? (body.error.errors ?? []).flatMap(({ reason }) => reason ?? []) : []
  if (reasons.some((reason) => OUT_OF_QUOTA.has(reason))) return new QuotaOutError()
  const message = Check(ApiError, body) ? body.error.message : undefined
  if (reasons.some((reason) => TOO_FAST.has(reason))) return new Error('YouTube asks us to slow down')
  // A bad key among others: no fault of the videos, an operator mends it.
  return new Error(`YouTube refused (${status}): ${message ?? 'without a word'}`)
}

/** The API leaves out what is removed or private, without telling which. */
function outcomeOf(item: Item | undefined): Outcome {
  if (item === undefined) return { kind: 'unavailable', reason: 'removed', facts: null }
  const { snippet, contentDetails, status } = item
  if (GONE.has(status.uploadStatus ?? '')) return { kind: 'unavailable', reason: 'removed', facts: null }
  if (status.privacyStatus === 'private') return { kind: 'unavailable', reason: 'private', facts: null }
  const facts = {
    youtubeId: item.id,
    title: snippet.title,
    description: snippet.description ?? null,
    thumbnailUrl: snippet.thumbnails?.high?.url ?? thumbnailOf(item.id),
    artistName: snippet.channelTitle === undefined ? null : artistFromChannel(snippet.channelTitle),
    durationMs: parseIsoDuration(contentDetails.duration ?? ''),
    embeddable: status.embeddable !== false,
    regionBlocked: blockedRegions(contentDetails.regionRestriction),
  }
  if (!facts.embeddable) return { kind: 'unavailable', reason: 'not_embeddable', facts }
  // Players outside YouTube cannot show them, signed in or not.
  if (contentDetails.contentRating?.ytRating === 'ytAgeRestricted') {
    return { kind: 'unavailable', reason: 'age_restricted', facts }
  }
  if (contentDetails.regionRestriction?.allowed?.length === 0) {
    return { kind: 'unavailable', reason: 'region_blocked', facts }
  }
  return { kind: 'resolved', facts }
}
