import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { askYoutube } from './ask.ts'
import type { Turnstile } from './data-api-client.ts'
import {
  artistFromChannel,
  type Outcome,
  ThrottledError,
  thumbnailOf,
  type UnavailableReason,
  type VideoFacts,
  type YoutubeClient,
} from './outcome.ts'
import { parseWatchPage, type WatchPage } from './watch-page.ts'

const OEmbed = Type.Object({
  title: Type.String(),
  author_name: Type.Optional(Type.String()),
  thumbnail_url: Type.Optional(Type.String()),
})

const BATCH = 8
const AT_ONCE = 4
/** The consent form that Europe gets is answered beforehand; a plain language keeps the reasons readable. */
const PAGE_HEADERS = { cookie: 'SOCS=CAI', 'accept-language': 'en' }

/**
 * YouTube without a key: oEmbed for title and channel, the watch page for the length and, when oEmbed
 * refuses, for the reason. One video at a time, so no quota but patience.
 */
export class KeylessClient implements YoutubeClient {
  readonly mode = 'keyless'
  readonly batchSize = BATCH
  readonly #baseUrl: string
  readonly #pass: Turnstile

  constructor(options: { baseUrl: string; pass: Turnstile }) {
    this.#baseUrl = options.baseUrl
    this.#pass = options.pass
  }

  async lookUp(youtubeIds: readonly string[]): Promise<Map<string, Outcome>> {
    const outcomes = new Map<string, Outcome>()
    const left = [...youtubeIds]
    const takeTurns = async (): Promise<void> => {
      for (let id = left.shift(); id !== undefined; id = left.shift())
        outcomes.set(id, await this.#lookUpOne(id))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, takeTurns))
    return outcomes
  }

  async #lookUpOne(youtubeId: string): Promise<Outcome> {
    try {
      const watchUrl = new URL('/watch', this.#baseUrl)
      watchUrl.searchParams.set('v', youtubeId)
      const card = await this.#oembed(youtubeId)
      if (card.status === 404) return { kind: 'unavailable', reason: 'removed', facts: null }
      if (card.status === 400) return { kind: 'unavailable', reason: 'bad_id', facts: null }
      await this.#pass()
      const page = await askYoutube(watchUrl, PAGE_HEADERS)
      return outcomeOf(youtubeId, card, parseWatchPage(page.text))
    } catch (error) {
      if (error instanceof ThrottledError) throw error
      return { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
    }
  }

  async #oembed(youtubeId: string): Promise<{ status: number; body: unknown }> {
    const url = new URL('/oembed', this.#baseUrl)
    url.searchParams.set('url', `https://www.youtube.com/watch?v=${youtubeId}`)
    url.searchParams.set('format', 'json')
    await this.#pass()
    const { status, text } = await askYoutube(url)
    if (status !== 200 && ![400, 401, 403, 404].includes(status)) throw new Error(`oEmbed answered ${status}`)
    return { status, body: status === 200 ? JSON.parse(text) : null }
  }
}

function outcomeOf(youtubeId: string, card: { status: number; body: unknown }, page: WatchPage): Outcome {
  const oembed = Check(OEmbed, card.body) ? card.body : null
  const title = oembed?.title ?? page.title
  const channel = oembed?.author_name ?? page.author
  const refused = refusalOf(card.status, page)
  const facts: VideoFacts | null =
    title === null
      ? null
      : {
          youtubeId,
          title,
          description: page.description,
          thumbnailUrl: oembed?.thumbnail_url ?? thumbnailOf(youtubeId),
          artistName: channel === null ? null : artistFromChannel(channel),
          durationMs: page.durationMs,
          embeddable: refused === null,
          regionBlocked: [],
        }
  if (refused !== null) return { kind: 'unavailable', reason: refused, facts }
  if (facts === null) return { kind: 'failed', error: new Error('YouTube answered something else') }
  return { kind: 'resolved', facts }
}

/** oEmbed says 401 or 403 for private videos and for those that are not for embedding; the page knows which. */
function refusalOf(oembedStatus: number, page: WatchPage): UnavailableReason | null {
  if (oembedStatus === 200) return page.playableInEmbed === false ? 'not_embeddable' : null
  if (/private/i.test(page.reason)) return 'private'
  if (/age/i.test(page.reason) && page.playability === 'LOGIN_REQUIRED') return 'age_restricted'
  if (page.playability === 'OK') return 'not_embeddable'
  if (page.playability === 'ERROR') return 'removed'
  return oembedStatus === 403 ? 'private' : 'not_embeddable'
}
