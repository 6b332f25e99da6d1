import type { Currency } from '@looptide/fairness/ranking'
import type { Candidate, Choice } from './candidate.ts'
import type { LibraryVideo } from './library.ts'
import type { QueuedRequest, RequestRule } from './plan.ts'
import type { RequestPool } from './request-pool.ts'
import type { AirHistory, RuleCheck } from './rules.ts'
import type { SourceQueue } from './source-queue.ts'

/** What a plan does with a source, of videos or of requests. */
export type ItemQueue = Omit<SourceQueue, 'state' | 'take'> & {
  /** `isAired`: false if a log edit leaves the item out. It counts as aired for a source of videos. */
  take(itemId: string, isAired?: boolean): boolean
  state?: SourceQueue['state']
}

/** The best requests that a slot considers. If rules forbid them all, it uses its fallback. */
const MAX_CONSIDERED = 200

/**
 * A source of viewers' requests: the best one that the rules allow is next. Items are requests. It has no state: which
 * requests have been aired, the programmes say.
 */
export class RequestQueue implements ItemQueue {
  readonly #currency: Currency
  readonly #pool: RequestPool
  readonly #history: AirHistory

  constructor(currency: Currency, pool: RequestPool, history: AirHistory) {
    this.#currency = currency
    this.#pool = pool
    this.#history = history
  }

  /** Requests that were decided before, then pinned ones, then the best allowed one. Soft rules order nothing. */
  choose(choice: Choice): Candidate | undefined {
    for (const { videoId, ...request } of this.#pool.decided(this.#currency, choice.startMs)) {
      const video = this.#playable(videoId)
      if (video !== undefined && ruleAgainst(video, choice) === undefined)
        return { ...candidateOf(request.id, video, choice), request }
    }
    if (choice.startMs < (this.#pool.input.announcedUntilMs ?? 0)) return undefined
    return this.#firstPinned(choice) ?? this.#firstRanked(choice)
  }

  #firstPinned(choice: Choice): Candidate | undefined {
    for (const request of this.#pool.pinned()) {
      const found = this.#allowed(request, choice)
      if (typeof found !== 'string')
        return { ...candidateOf(request.id, found, choice), request: this.#requestOf(request.id, []) }
    }
    return undefined
  }

  #firstRanked(choice: Choice): Candidate | undefined {
    const passedOver: { request: string; rule: RequestRule }[] = []
    for (const request of this.#pool.order(this.#currency).slice(0, MAX_CONSIDERED)) {
      const found = this.#allowed(request, choice)
      if (typeof found !== 'string')
        return { ...candidateOf(request.id, found, choice), request: this.#requestOf(request.id, passedOver) }
      passedOver.push({ request: request.id, rule: found })
    }
    return undefined
  }

  /** The video of a request, or the rule that forbids it now, which is noted. */
  #allowed({ id, videoId }: QueuedRequest, choice: Choice): LibraryVideo | RequestRule {
    const video = this.#playable(videoId)
    const broken = video && ruleAgainst(video, choice)
    if (video !== undefined && broken === undefined) return video
    const rule = broken ?? 'notPlayable'
    if (rule !== 'hardStart')
      this.#pool.noteBlocked({ id, rule, untilMs: finite(choice.check.allowedFrom(videoId)) })
    return rule
  }

  #requestOf(id: string, passedOver: { request: string; rule: RequestRule }[]) {
    return { id, currency: this.#currency, sequence: this.#pool.input.sequence, passedOver }
  }

  /** A request must not be chosen because its length fits: requests do not fill the time before a hard start. */
  candidates(): Candidate[] {
    return []
  }

  allowedFrom(check: RuleCheck): number {
    let firstMs = Number.POSITIVE_INFINITY
    for (const { videoId } of this.#pool.waiting) firstMs = Math.min(firstMs, check.allowedFrom(videoId))
    return firstMs
  }

  take(id: string, isAired = true): boolean {
    if (isAired) this.#pool.take(id, this.#currency)
    else this.#pool.leaveOut(id)
    return false
  }

  /** The input says what was taken before. */
  replay(): void {}

  has(id: string): boolean {
    return this.#pool.has(id)
  }

  isLast(): boolean {
    return false
  }

  aired(): void {}

  #playable(videoId: string): LibraryVideo | undefined {
    const video = this.#history.stateOf(videoId)?.video
    return video?.isListed === true ? video : undefined
  }
}

/** Why a video cannot be aired now; undefined if it can. */
function ruleAgainst({ id, durationMs }: LibraryVideo, { check, fits }: Choice): RequestRule | undefined {
  return check.forbiddenBy(id) ?? (fits(durationMs) ? undefined : 'hardStart')
}

const candidateOf = (itemId: string, video: LibraryVideo, { check }: Choice): Candidate => ({
  ...{ itemId, video },
  breaches: check.breaches(video.id) ?? 0,
})

const finite = (ms: number): number | null => (Number.isFinite(ms) ? ms : null)
