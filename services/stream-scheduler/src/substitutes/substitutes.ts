import { MAX_SUBSTITUTES, type SubstituteList } from '@looptide/contracts/http/guide'
import type { CachedText } from '@looptide/service-kit/http/cached-text'
import { errors } from '@looptide/service-kit/http/errors'
import type { Store } from '../db/schema.ts'
import { findChannel, programmesBetween } from '../guide/now-response.ts'
import { TextCache } from '../guide/text-cache.ts'
import { readReliableVideos } from '../library/video-repository.ts'
import { REPORT_WINDOW_MS } from '../reports/report-rules.ts'
import type { ScheduleReader } from '../schedule/schedule-reader.ts'
import { presentVideo } from '../timeline/present-programme.ts'
import type { CachedChannel, CachedProgramme, TimelineCache } from '../timeline/timeline-cache.ts'
import { rankCandidates } from './rank-candidates.ts'
import { sourceCandidates } from './source-candidates.ts'

interface SubstituteDeps {
  db: Store
  timelines: TimelineCache
  schedules: ScheduleReader
  /** See `loadFallbackItems` (ms). */
  fallbackMaxMs: number
  now: () => number
}

/** Maximum number of programmes whose substitutes are cached. */
const MAX_CACHED = 2000
/** Maximum number of programmes near the one on the air. Programmes have at least a second. */
const MAX_NEAR = 2000
/** Time for which a list of substitutes is cached (ms). */
const FRESH_MS = 60_000
/** Best candidates that are looked up, more than are needed because some may not be reliable. */
const MAX_LOOKED_UP = 12
/** A video that this many viewers could not play in the last week is no substitute. */
const FAILING_VIEWERS = 2
/** Programmes before and after the replaced one whose videos are used last. */
const NEARBY = 2

/**
 * Substitutes for programmes whose video does not play for a viewer. They are the same for every viewer, so that an
 * answer is computed once a minute per programme, and only for programmes near the one on the air.
 */
export class Substitutes {
  readonly #deps: SubstituteDeps
  readonly #texts = new TextCache(MAX_CACHED)

  constructor(deps: SubstituteDeps) {
    this.#deps = deps
  }

  /** A {@link SubstituteList} as JSON. Throws `not_found`. */
  async get(channelId: string, programmeId: string): Promise<CachedText> {
    const { timelines, now } = this.#deps
    const nowMs = now()
    const channel = await findChannel(timelines, channelId)
    const { before, ahead } = REPORT_WINDOW_MS
    const near = programmesBetween(channel.programmes, nowMs - before, nowMs + ahead, MAX_NEAR)
    const programme = near.find(({ id }) => id === programmeId)
    const videoId = programme?.videoId ?? null
    if (programme === undefined || videoId === null) throw errors.notFound('This programme')
    const signature = `${channel.row.timelineVersion} ${Math.floor(nowMs / FRESH_MS)}`
    return this.#texts.get(programmeId, signature, () => this.#render(channel, programme, videoId))
  }

  async #render(
    { row, programmes }: CachedChannel,
    programme: CachedProgramme,
    videoId: string,
  ): Promise<string> {
    const { db } = this.#deps
    const candidates = await sourceCandidates(this.#deps, row, programme)
    const lengthMs = programme.endsAtMs - programme.startsAtMs
    const nearbyIds = nearbyVideos(programmes, programme)
    const ranked = rankCandidates(candidates, { videoId, lengthMs, nearbyIds }).slice(0, MAX_LOOKED_UP)
    const videos = await readReliableVideos(db, ranked, FAILING_VIEWERS)
    const rank = new Map(ranked.map((id, index) => [id, index]))
    const list: SubstituteList = {
      substitutes: videos
        .toSorted((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0))
        .slice(0, MAX_SUBSTITUTES)
        .map(presentVideo),
    }
    return JSON.stringify(list)
  }
}

function nearbyVideos(programmes: readonly CachedProgramme[], { seq }: CachedProgramme): Set<string> {
  const nearby = programmes.filter((other) => Math.abs(other.seq - seq) <= NEARBY)
  return new Set(nearby.flatMap(({ videoId }) => videoId ?? []))
}
