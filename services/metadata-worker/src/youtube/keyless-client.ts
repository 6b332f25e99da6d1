import { cleanLine, cleanParagraph } from '@looptide/contracts/text'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { AcquireCall } from './data-api-client.ts'
import { fetchYoutube } from './fetch-youtube.ts'
import {
  artistOfChannel,
  type Outcome,
  ThrottledError,
  thumbnailUrl,
  type UnavailableReason,
  type VideoMetadata,
  type YoutubeClient,
} from './outcome.ts'
import { parseWatchPage, type WatchPage } from './watch-page.ts'

const OEmbed = Type.Object({
  title: Type.String(),
  author_name: Type.Optional(Type.String()),
  thumbnail_url: Type.Optional(Type.String()),
})

const BATCH_SIZE = 8
const CONCURRENCY = 4
/** The cookie skips the consent form shown in Europe. The language makes the reasons parseable. */
const PAGE_HEADERS = { cookie: 'SOCS=CAI', 'accept-language': 'en' }

/**
 * Looks up videos without an API key: title and channel from oEmbed, the duration and the reason of unavailability from
 * the watch page. Each video takes two requests; there is no quota, but a rate limit.
 */
export class KeylessClient implements YoutubeClient {
  readonly mode = 'keyless'
  readonly batchSize = BATCH_SIZE
  readonly #baseUrl: string
  readonly #acquire: AcquireCall

  constructor(options: { baseUrl: string; acquire: AcquireCall }) {
    this.#baseUrl = options.baseUrl
    this.#acquire = options.acquire
  }

  async lookUp(youtubeIds: readonly string[]): Promise<Map<string, Outcome>> {
    const outcomes = new Map<string, Outcome>()
    const remaining = [...youtubeIds]
    const runWorker = async (): Promise<void> => {
      for (let id = remaining.shift(); id !== undefined; id = remaining.shift())
        outcomes.set(id, await this.#lookUpOne(id))
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, runWorker))
    return outcomes
  }

  async #lookUpOne(youtubeId: string): Promise<Outcome> {
    try {
      const watchUrl = new URL('/watch', this.#baseUrl)
      watchUrl.searchParams.set('v', youtubeId)
      const oembed = await this.#fetchOEmbed(youtubeId)
      if (oembed.status === 404) return { kind: 'unavailable', reason: 'removed', metadata: null }
      if (oembed.status === 400) return { kind: 'unavailable', reason: 'bad_id', metadata: null }
      await this.#acquire()
      const page = await fetchYoutube(watchUrl, PAGE_HEADERS)
      return toOutcome(youtubeId, oembed, parseWatchPage(page.text))
    } catch (error) {
      if (error instanceof ThrottledError) throw error
      return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
    }
  }

  async #fetchOEmbed(youtubeId: string): Promise<OEmbedResponse> {
    const url = new URL('/oembed', this.#baseUrl)
    url.searchParams.set('url', `https://www.youtube.com/watch?v=${youtubeId}`)
    url.searchParams.set('format', 'json')
    await this.#acquire()
    const { status, text } = await fetchYoutube(url)
    if (status !== 200 && ![400, 401, 403, 404].includes(status))
      throw new Error(`oEmbed responded with status ${status}`)
    return { status, body: status === 200 ? JSON.parse(text) : null }
  }
}

interface OEmbedResponse {
  status: number
  body: unknown
}

function toOutcome(youtubeId: string, { status, body }: OEmbedResponse, page: WatchPage): Outcome {
  const oembed = Check(OEmbed, body) ? body : null
  const title = cleanLine(oembed?.title ?? '') || cleanLine(page.title ?? '') || null
  const channel = oembed?.author_name ?? page.author
  const unavailableReason = unavailableReasonOf(status, page)
  const metadata: VideoMetadata | null =
    title === null
      ? null
      : {
          youtubeId,
          title,
          description: page.description && cleanParagraph(page.description),
          thumbnailUrl: oembed?.thumbnail_url ?? thumbnailUrl(youtubeId),
          artistName: channel === null ? null : artistOfChannel(channel),
          durationMs: page.durationMs,
          embeddable: unavailableReason === null,
          regionBlocked: [],
        }
  if (unavailableReason !== null) {
    const broadcast = unavailableReason === page.broadcast?.state ? page.broadcast : undefined
    return { kind: 'unavailable', reason: unavailableReason, metadata, broadcast }
  }
  if (metadata === null) return { kind: 'failed', error: new Error('unexpected response from YouTube') }
  return { kind: 'resolved', metadata }
}

/** oEmbed responds with 401 or 403 for private and for not embeddable videos; the watch page distinguishes them. */
function unavailableReasonOf(oembedStatus: number, page: WatchPage): UnavailableReason | null {
  if (oembedStatus === 200) {
    return page.playableInEmbed === false ? 'not_embeddable' : (page.broadcast?.state ?? null)
  }
  if (/private/i.test(page.reason)) return 'private'
  if (/age/i.test(page.reason) && page.playability === 'LOGIN_REQUIRED') return 'age_restricted'
  if (page.playability === 'OK') return 'not_embeddable'
  if (page.playability === 'ERROR') return 'removed'
  return oembedStatus === 403 ? 'private' : 'not_embeddable'
}
