import { type GuideQuery, type Programme, SPECIALS_AHEAD_MS } from '@looptide/contracts/http/channels'
import { programmeAt } from '@looptide/playhead/programme'
import { errors } from '@looptide/service-kit/http/errors'
import type { Static } from 'typebox'
import type { CachedChannel, CachedProgramme, TimelineCache } from '../timeline/timeline-cache.ts'

/** Length of the window of `now` (ms): a player without a connection continues for this time. */
const NOW_WINDOW_MS = 7_200_000
/** Maximum number of programmes in a response. */
const MAX_NOW = 500
const MAX_GUIDE_PROGRAMMES = 2000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

interface NowResponse {
  body: string
  etag: string
}

/** The channel from the cache, which reads a missing one from the database. Throws `not_found`. */
export async function findChannel(timelines: TimelineCache, id: string): Promise<CachedChannel> {
  const cached = timelines.get(id)
  if (cached !== undefined) return cached
  await timelines.refresh([id])
  const channel = timelines.get(id)
  if (channel === undefined) throw errors.notFound('This channel')
  return channel
}

/** The programmes that overlap [fromMs, toMs), at most `max`. */
export function programmesBetween(
  programmes: readonly CachedProgramme[],
  fromMs: number,
  toMs: number,
  max: number,
): CachedProgramme[] {
  const first = indexOfFirstEndingAfter(programmes, fromMs)
  const found: CachedProgramme[] = []
  for (let index = first; index < programmes.length && found.length < max; index += 1) {
    const programme = programmes[index]
    if (programme === undefined || programme.startsAtMs >= toMs) break
    found.push(programme)
  }
  return found
}

function indexOfFirstEndingAfter(programmes: readonly CachedProgramme[], atMs: number): number {
  const onAir = programmeAt(programmes, atMs)
  const first = programmes[0]
  if (onAir !== undefined && first !== undefined) return onAir.seq - first.seq
  return first !== undefined && first.startsAtMs > atMs ? 0 : programmes.length
}

/** The programmes of a channel as JSON text: without `fromMs` from the current programme. Throws `not_found`. */
export async function channelGuide(
  timelines: TimelineCache,
  channelId: string,
  query: Static<typeof GuideQuery>,
  serverNowMs: number,
): Promise<NowResponse> {
  const { fromMs = serverNowMs, hours = 24 } = query
  const { row, programmes } = await findChannel(timelines, channelId)
  const found = programmesBetween(programmes, fromMs, fromMs + hours * HOUR_MS, MAX_GUIDE_PROGRAMMES)
  const { timelineVersion } = row
  const minute = Math.floor(serverNowMs / MINUTE_MS)
  const list = found.map((programme) => timelines.present(channelId, programme))
  const specials = timelines.specialsOf(channelId, serverNowMs, serverNowMs + SPECIALS_AHEAD_MS)
  return {
    body: JSON.stringify({ channelId, timelineVersion, serverNowMs, programmes: list, specials }),
    etag: `W/"${timelineVersion}-${found[0]?.id}-${found.at(-1)?.id}-${minute}"`,
  }
}

/**
 * The responses of `now` as JSON text. The programmes are rendered once until one of them ends or the future changes;
 * only the server's time differs between responses.
 */
export class NowResponses {
  readonly #timelines: TimelineCache
  readonly #texts = new Map<string, { version: number; firstId: string; lastId: string; text: string }>()

  constructor(timelines: TimelineCache) {
    this.#timelines = timelines
  }

  async get(id: string, nowMs: number): Promise<NowResponse> {
    const channel = await findChannel(this.#timelines, id)
    const { row } = channel
    const window = programmesBetween(channel.programmes, nowMs, nowMs + NOW_WINDOW_MS, MAX_NOW)
    const firstId = window[0]?.id ?? ''
    const lastId = window.at(-1)?.id ?? ''
    const head = `{"channelId":${JSON.stringify(id)},"status":"${row.status}","timelineVersion":${row.timelineVersion}`
    const programmes = this.#programmes(channel, firstId, lastId, window)
    return {
      body: `${head},"serverNowMs":${nowMs},"programmes":${programmes}}`,
      etag: `W/"${row.timelineVersion}-${row.status}-${firstId}-${lastId}"`,
    }
  }

  #programmes(
    channel: CachedChannel,
    firstId: string,
    lastId: string,
    window: readonly CachedProgramme[],
  ): string {
    const { id, timelineVersion } = channel.row
    const cached = this.#texts.get(id)
    if (cached?.firstId === firstId && cached.lastId === lastId && cached.version === timelineVersion) {
      return cached.text
    }
    const text = JSON.stringify(window.map((programme): Programme => this.#timelines.present(id, programme)))
    this.#texts.set(id, { version: timelineVersion, firstId, lastId, text })
    return text
  }
}
