import { cleanLine, cleanParagraph } from '@looptide/contracts/text'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { fetchYoutube } from './fetch-youtube.ts'
import { parseIsoDuration } from './iso-duration.ts'
import {
  artistOfChannel,
  type Broadcast,
  type Outcome,
  QuotaExhaustedError,
  RequestRefusedError,
  thumbnailUrl,
  type UnavailableReason,
  type YoutubeClient,
} from './outcome.ts'

/** Maximum ids of one `videos.list` call. */
const BATCH_SIZE = 50

const Item = Type.Object({
  id: Type.String(),
  snippet: Type.Object({
    title: Type.String(),
    description: Type.Optional(Type.String()),
    channelTitle: Type.Optional(Type.String()),
    thumbnails: Type.Optional(Type.Record(Type.String(), Type.Object({ url: Type.String() }))),
    liveBroadcastContent: Type.Optional(Type.String()),
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
  liveStreamingDetails: Type.Optional(Type.Object({ scheduledStartTime: Type.Optional(Type.String()) })),
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

const QUOTA_REASONS = new Set(['quotaExceeded', 'dailyLimitExceeded'])
const RATE_LIMIT_REASONS = new Set(['rateLimitExceeded', 'userRateLimitExceeded'])
const REMOVED_STATUSES = new Set(['deleted', 'failed', 'rejected'])

/** Called before each API call. Waits for the rate limit and spends a unit of quota, or throws {@link QuotaExhaustedError}. */
export type AcquireCall = () => Promise<void>

/** YouTube Data API v3, `videos.list`: 50 videos per call for one unit of quota. */
export class DataApiClient implements YoutubeClient {
  readonly mode = 'api'
  readonly batchSize = BATCH_SIZE
  readonly #baseUrl: string
  readonly #key: string
  readonly #acquire: AcquireCall

  constructor(options: { baseUrl: string; key: string; acquire: AcquireCall }) {
    this.#baseUrl = options.baseUrl
    this.#key = options.key
    this.#acquire = options.acquire
  }

  async lookUp(youtubeIds: readonly string[]): Promise<Map<string, Outcome>> {
    await this.#acquire()
    const url = new URL('/youtube/v3/videos', this.#baseUrl)
    url.search = new URLSearchParams({
      part: 'snippet,contentDetails,status,liveStreamingDetails',
      id: youtubeIds.join(','),
      maxResults: String(BATCH_SIZE),
      key: this.#key,
    }).toString()
    const { status, text } = await fetchYoutube(url)
    const body = parseJson(text)
    if (status !== 200) throw toError(status, body)
    if (!Check(VideoList, body)) throw new Error('unexpected response from YouTube')
    const items = new Map(body.items.flatMap((item) => (Check(Item, item) ? [[item.id, item] as const] : [])))
    return new Map(youtubeIds.map((id) => [id, toOutcome(items.get(id))]))
  }
}

/** Parses JSON; null for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The error of an API response with another status than 200. */
export function toError(status: number, body: unknown): Error {
  const reasons = Check(ApiError, body) ? (body.error.errors ?? []).flatMap(({ reason }) => reason ?? []) : []
  if (reasons.some((reason) => QUOTA_REASONS.has(reason))) return new QuotaExhaustedError()
  const message = Check(ApiError, body) ? body.error.message : undefined
  if (reasons.some((reason) => RATE_LIMIT_REASONS.has(reason))) return new Error('YouTube rate limit reached')
  // For example an invalid API key, which an operator must fix. The videos themselves are not at fault.
  return new RequestRefusedError(`YouTube responded with status ${status}: ${message ?? 'no message'}`)
}

/** The API omits removed and private videos without distinguishing them. */
function toOutcome(item: Item | undefined): Outcome {
  if (item === undefined) return { kind: 'unavailable', reason: 'removed', metadata: null }
  const { snippet, contentDetails, status } = item
  if (REMOVED_STATUSES.has(status.uploadStatus ?? ''))
    return { kind: 'unavailable', reason: 'removed', metadata: null }
  if (status.privacyStatus === 'private') return { kind: 'unavailable', reason: 'private', metadata: null }
  const reason = unavailableReasonOf(item)
  const broadcast = broadcastOf(item)
  const metadata = {
    youtubeId: item.id,
    title: cleanLine(snippet.title),
    description: cleanParagraph(snippet.description ?? '') || null,
    thumbnailUrl: snippet.thumbnails?.high?.url ?? thumbnailUrl(item.id),
    artistName: snippet.channelTitle === undefined ? null : artistOfChannel(snippet.channelTitle),
    durationMs: parseIsoDuration(contentDetails.duration ?? ''),
    embeddable: reason === null && broadcast === undefined,
    regionBlocked: blockedRegions(contentDetails.regionRestriction),
  }
  if (reason !== null) return { kind: 'unavailable', reason, metadata }
  if (broadcast !== undefined) return { kind: 'unavailable', reason: broadcast.state, metadata, broadcast }
  return { kind: 'resolved', metadata }
}

/** Why players outside YouTube never play this video, or null. */
function unavailableReasonOf({ contentDetails, status }: Item): UnavailableReason | null {
  if (status.embeddable === false) return 'not_embeddable'
  // Not even for signed-in viewers.
  if (contentDetails.contentRating?.ytRating === 'ytAgeRestricted') return 'age_restricted'
  return contentDetails.regionRestriction?.allowed?.length === 0 ? 'region_blocked' : null
}

/**
 * The premiere or live stream that has not ended. Its duration is `P0D`, also for some hours after its end, while YouTube
 * prepares the recording.
 */
function broadcastOf({ snippet, contentDetails, liveStreamingDetails }: Item): Broadcast | undefined {
  const startsAtMs = Date.parse(liveStreamingDetails?.scheduledStartTime ?? '')
  const isUpcoming = snippet.liveBroadcastContent === 'upcoming'
  const isLive = snippet.liveBroadcastContent === 'live' || contentDetails.duration === 'P0D'
  if (!isUpcoming && !isLive) return undefined
  return { state: isUpcoming ? 'upcoming' : 'live', startsAtMs: Number.isNaN(startsAtMs) ? null : startsAtMs }
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** All ISO 3166-1 alpha-2 codes for which ICU has a name. */
const allRegions = (): string[] => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter((code) => names.of(code) !== undefined)
}

/** The countries in which a video is blocked. YouTube lists either the allowed or the blocked ones. */
function blockedRegions(restriction: { allowed?: string[]; blocked?: string[] } | undefined): string[] {
  if (restriction?.allowed !== undefined) {
    const allowed = new Set(restriction.allowed)
    return allRegions().filter((code) => !allowed.has(code))
  }
  return restriction?.blocked ?? []
}
