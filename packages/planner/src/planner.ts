import { IDENT_MAX_MS, type IdentKind, REQUESTS_SOURCE, type Slot } from '@looptide/contracts/schedule'
import type { Candidate, Choice } from './candidate.ts'
import { ClockCursor } from './clock-cursor.ts'
import { cardMs, FIT_WITHIN_MS, findFit, hasTimeFor } from './find-fit.ts'
import { type Segment, segmentsOf } from './grid.ts'
import { GridCursor } from './grid-cursor.ts'
import { LocalDays } from './local-days.ts'
import type {
  PlanInput,
  PlanState,
  ProgrammeReason,
  ReplayedProgramme,
  ScheduledProgramme,
  SchedulePlan,
} from './plan.ts'
import { AirHistory, effectiveRules, RuleCheck, rulesIn } from './rules.ts'
import { clockOf, maySkip, sourcesOf } from './segment-sources.ts'
import { SourceQueue } from './source-queue.ts'

const HOUR_MS = 3_600_000
/** Time beyond the end of a plan for which the grid is read, in ms: longer than any video. */
const LOOKAHEAD_MS = 48 * HOUR_MS
/** Maximum number of candidates for such a choice, of each source and of all; findFit tries no more. */
const FIT_CANDIDATES = 200
/** Accepts every duration. */
const ANY = () => true
/** The shortest time that a video may leave before a hard start, in ms. Videos to fill a shorter time are rare. */
const LEAST_REMAINING_MS = 3 * 60_000

/** One run of the planner: its position in time, its sources and what it has planned. */
export class Planner {
  readonly #input: PlanInput
  readonly #grid: GridCursor
  readonly #history: AirHistory
  readonly #queues = new Map<string, SourceQueue>()
  readonly #programmes: ScheduledProgramme[] = []
  readonly #clock: ClockCursor
  readonly #isReplay: boolean
  readonly #maySkip: boolean
  #nowMs: number
  /** A segment in which hard rules forbid every video before `untilMs` (epoch ms). */
  #pause: { segment: Segment; untilMs: number } | undefined

  constructor(input: PlanInput, isReplay = false) {
    this.#input = input
    this.#isReplay = isReplay
    this.#maySkip = maySkip(input.document)
    this.#grid = new GridCursor(segmentsOf(input.document, input.fromMs, input.toMs + LOOKAHEAD_MS))
    this.#history = new AirHistory(input.library, new LocalDays(input.document.timeZone), input.history)
    this.#clock = new ClockCursor(input.state?.slot ?? null)
    this.#nowMs = input.fromMs
  }

  *plan(): Generator<undefined, SchedulePlan> {
    const { toMs, max = Number.POSITIVE_INFINITY } = this.#input
    while (this.#nowMs < toMs && this.#programmes.length < max) {
      this.#planNext(this.#grid.segmentAt(this.#nowMs))
      yield
    }
    return { programmes: this.#programmes, state: this.#state() }
  }

  replay(programmes: readonly ReplayedProgramme[]): PlanState {
    for (const programme of programmes) {
      const { itemId, videoId, startsAtMs, endsAtMs, reason, isResumed } = programme
      this.#nowMs = startsAtMs
      const segment = this.#grid.segmentAt(this.#nowMs)
      this.#clock.enterSlot(segment.occurrenceMs, clockOf(this.#input.document, segment), reason.slot)
      if (itemId !== null && videoId !== null) {
        const queue = reason.source === null ? undefined : this.#queue(reason.source)
        if (!(isResumed && queue?.isLast(itemId))) queue?.replay({ ...programme, itemId })
        this.#airedElsewhere(videoId, reason.source)
        this.#history.record({ videoId, startsAtMs, endsAtMs })
      }
      this.#countInSlot(segment, endsAtMs - startsAtMs)
    }
    return this.#state()
  }

  /** The state at the beginning: of the sources `names`, with what has joined and without what has left them. */
  startState(names: readonly string[]): PlanState {
    for (const name of names) this.#queue(name)
    return this.#state()
  }

  #state(): PlanState {
    const sources = Object.fromEntries([...this.#queues].map(([name, queue]) => [name, queue.state()]))
    return { sources: { ...this.#input.state?.sources, ...sources }, slot: this.#clock.position }
  }

  #planNext(segment: Segment): void {
    const hardStartMs = this.#grid.nextHardStart()
    const remainingMs = hardStartMs - this.#nowMs
    const clock = clockOf(this.#input.document, segment)
    const slot = this.#clock.enter(segment.occurrenceMs, clock)
    if (remainingMs <= IDENT_MAX_MS) this.#addCard(segment, 'countdown', null, remainingMs)
    else if (slot !== null && 'ident' in slot && hasTimeFor(slot.durationMs, remainingMs)) {
      this.#addCard(segment, 'ident', slot.ident, slot.durationMs)
    } else if (slot !== null && 'ident' in slot && clock?.some((other) => 'source' in other))
      this.#clock.skip()
    else if (this.#isPaused(segment)) this.#addCard(segment, 'ident', 'station', cardMs(remainingMs))
    else if (this.#mustFit(segment)) this.#planFit(segment, slot, remainingMs)
    else this.#planVideo(segment, slot, remainingMs)
  }

  /** Whether the time until the hard start is short enough to be filled as a whole, and all of it is the segment's. */
  #mustFit(segment: Segment): boolean {
    const hardStartMs = this.#grid.nextHardStart()
    return hardStartMs - this.#nowMs <= FIT_WITHIN_MS && segment.endMs >= hardStartMs
  }

  /**
   * Counts a programme that starts now for the current slot. Those that fill the time until a hard start are chosen as a
   * whole from one slot: without counting, a plan that continues among them stays in that slot too.
   */
  #countInSlot(segment: Segment, durationMs: number): void {
    if (!this.#mustFit(segment)) this.#clock.count(durationMs)
  }

  #planFit(segment: Segment, slot: Slot | null, remainingMs: number): void {
    const hardStartMs = this.#nowMs + remainingMs
    const names = [...sourcesOf(this.#input.document, segment, slot)]
    const fillers = Object.entries(this.#input.document.sources)
      .filter(([, source]) => source.kind === 'filler')
      .map(([name]) => name)
    const choice = this.#choice(segment, (durationMs) => durationMs <= remainingMs)
    const tried: (Candidate & { source: string })[] = []
    for (const source of new Set([...names, ...fillers])) {
      const found = this.#queue(source)?.candidates(choice, FIT_CANDIDATES) ?? []
      const known = new Set(tried.map(({ video }) => video.id))
      tried.push(...found.filter(({ video }) => !known.has(video.id)).map((one) => ({ ...one, source })))
      const fit = findFit(remainingMs, tried)
      if (fit === undefined && tried.length >= FIT_CANDIDATES) break
      if (fit === undefined) continue
      for (const { source: from, itemId, video } of fit.candidates) {
        // What was allowed at the beginning may be forbidden at its own start, by its artist or by the time of day.
        const breaches = this.#check(segment).breaches(video.id)
        if (breaches === undefined) return
        this.#addVideo(segment, from, { itemId, video, breaches }, this.#nowMs + video.durationMs)
      }
      if (fit.gapMs > 0) this.#addCard(segment, 'countdown', null, fit.gapMs)
      return
    }
    this.#planCut(segment, names, hardStartMs)
  }

  /** Plans a video although none fits: it is cut short at the hard start, unless it leaves time for another one. */
  #planCut(segment: Segment, names: readonly string[], hardStartMs: number): void {
    const chosen = this.#chooseFrom(names, this.#choice(segment, ANY))
    if (chosen === undefined) this.#beginPause(segment, names, hardStartMs - this.#nowMs)
    else
      this.#addVideo(
        segment,
        chosen.source,
        chosen,
        Math.min(this.#nowMs + chosen.video.durationMs, hardStartMs),
      )
  }

  #planVideo(segment: Segment, slot: Slot | null, remainingMs: number): void {
    const names = sourcesOf(this.#input.document, segment, slot)
    const leavesEnough = (durationMs: number) => remainingMs - durationMs >= LEAST_REMAINING_MS
    const fits = (durationMs: number) => durationMs <= remainingMs
    const preferred = this.#chooseFrom(names, this.#choice(segment, leavesEnough))
    const mustPause =
      preferred === undefined && this.#chooseFrom(names, this.#choice(segment, ANY)) === undefined
    const chosen = preferred ?? (mustPause ? undefined : this.#chooseFrom(names, this.#choice(segment, fits)))
    if (chosen !== undefined) {
      this.#addVideo(segment, chosen.source, chosen, this.#nowMs + chosen.video.durationMs)
    } else if (mustPause) this.#beginPause(segment, names, remainingMs)
    else this.#planCut(segment, names, this.#nowMs + remainingMs)
  }

  /** Begins to fill the time with idents, because hard rules forbid every video, until they may allow one. */
  #beginPause(segment: Segment, names: readonly string[], remainingMs: number): void {
    const check = this.#check(segment)
    const instants = names.map((name) => this.#queue(name)?.allowedFrom(check) ?? Number.POSITIVE_INFINITY)
    this.#pause = { segment, untilMs: Math.min(...instants) }
    this.#addCard(segment, 'ident', 'station', cardMs(remainingMs))
  }

  #isPaused(segment: Segment): boolean {
    return this.#pause?.segment === segment && this.#nowMs < this.#pause.untilMs
  }

  #chooseFrom(names: readonly string[], choice: Choice): (Candidate & { source: string }) | undefined {
    for (const source of names) {
      const candidate = this.#queue(source)?.choose(choice)
      if (candidate !== undefined) return { ...candidate, source }
    }
    return undefined
  }

  #choice(segment: Segment, fits: Choice['fits']): Choice {
    return { check: this.#check(segment), startMs: this.#nowMs, fits }
  }

  #check(segment: Segment): RuleCheck {
    const rules = effectiveRules(this.#input.document, segment.item?.rules)
    return new RuleCheck(rules, this.#history, this.#nowMs)
  }

  #queue(name: string): SourceQueue | undefined {
    const existing = this.#queues.get(name)
    if (existing !== undefined) return existing
    const { document, playlists, requests = [], library, seed, state, fromMs } = this.#input
    const { planned, previous } = this.#input
    const source = document.sources[name]
    if (source === undefined && name !== REQUESTS_SOURCE) return undefined
    const playlist = source?.kind === 'playlist' ? (playlists.get(source.channelId ?? '') ?? []) : requests
    const queue = new SourceQueue({
      name,
      source: source ?? { kind: 'playlist' },
      playlist,
      library,
      history: this.#history,
      seed,
      nowMs: fromMs,
      state: state?.sources[name],
      maySkip: this.#maySkip,
      isReplay: this.#isReplay,
      planned,
      previous,
    })
    this.#queues.set(name, queue)
    return queue
  }

  #addVideo(
    segment: Segment,
    source: string,
    { itemId, video, breaches }: Candidate,
    endsAtMs: number,
  ): void {
    const startsAtMs = this.#nowMs
    const startsCycle = this.#queue(source)?.take(itemId) ?? false
    this.#airedElsewhere(video.id, source)
    this.#history.record({ videoId: video.id, startsAtMs, endsAtMs })
    this.#add(segment, {
      kind: 'video',
      ident: null,
      itemId,
      videoId: video.id,
      startsAtMs,
      endsAtMs,
      isCutShort: endsAtMs - startsAtMs < video.durationMs,
      startsCycle,
      reason: { ...this.#reason(segment), ...this.#place(segment), source, relaxed: rulesIn(breaches) },
    })
  }

  #airedElsewhere(videoId: string, source: string | null): void {
    for (const [name, queue] of this.#queues) if (name !== source) queue.aired(videoId)
  }

  #addCard(segment: Segment, kind: 'ident' | 'countdown', ident: IdentKind | null, durationMs: number): void {
    this.#add(segment, {
      kind,
      ident,
      itemId: null,
      videoId: null,
      startsAtMs: this.#nowMs,
      endsAtMs: this.#nowMs + durationMs,
      isCutShort: false,
      startsCycle: false,
      reason: { ...this.#reason(segment), source: null, number: null, count: null, relaxed: [] },
    })
  }

  #add(segment: Segment, programme: ScheduledProgramme): void {
    this.#programmes.push(programme)
    this.#countInSlot(segment, programme.endsAtMs - programme.startsAtMs)
    this.#nowMs = programme.endsAtMs
  }

  /** The place of the next programme in a slot of several videos. */
  #place(segment: Segment): Pick<ProgrammeReason, 'number' | 'count'> {
    const position = this.#clock.position
    const slot = clockOf(this.#input.document, segment)?.[position?.slot ?? -1]
    if (position === null || slot === undefined || !('count' in slot) || (slot.count ?? 1) < 2) {
      return { number: null, count: null }
    }
    if (this.#mustFit(segment)) return { number: null, count: null }
    return { number: position.count + 1, count: slot.count ?? null }
  }

  #reason({ item, kind }: Segment): Pick<ProgrammeReason, 'blockId' | 'specialId' | 'slot'> {
    return {
      blockId: kind === 'block' ? (item?.id ?? null) : null,
      specialId: kind === 'special' ? (item?.id ?? null) : null,
      slot: this.#clock.position?.slot ?? null,
    }
  }
}
