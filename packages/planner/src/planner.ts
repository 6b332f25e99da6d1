import { IDENT_MAX_MS, type Slot } from '@looptide/contracts/schedule'
import type { Candidate, Choice } from './candidate.ts'
import { cardMs, findFit, hasTimeFor } from './find-fit.ts'
import type { Segment } from './grid.ts'
import type { LibraryVideo } from './library.ts'
import { airingOf, LogEdits, turnOf } from './log-edits.ts'
import type { PlanInput, PlanState, ReplayedProgramme, SchedulePlan } from './plan.ts'
import { PlanPosition } from './plan-position.ts'
import { clockOf, clockStartOf, isRequestSource, sourcesOf } from './segment-sources.ts'

/** Maximum number of candidates for such a choice, of each source and of all; findFit tries no more. */
const FIT_CANDIDATES = 200
/** Accepts every duration. */
const ANY = () => true
/** The shortest time that a video may leave before a hard start, in ms. Videos to fill a shorter time are rare. */
const LEAST_REMAINING_MS = 3 * 60_000

/** A candidate with its source. */
type Chosen = Candidate & { source: string }

/** One run of the planner. */
export class Planner {
  readonly #input: PlanInput
  readonly #at: PlanPosition
  readonly #edits: LogEdits
  /** A segment in which hard rules forbid every video before `untilMs` (epoch ms). */
  #pause: { segment: Segment; untilMs: number } | undefined

  constructor(input: PlanInput, isReplay = false) {
    this.#input = input
    this.#at = new PlanPosition(input, isReplay)
    this.#edits = new LogEdits(input.edits ?? [])
  }

  *plan(): Generator<undefined, SchedulePlan> {
    const { toMs, max = Number.POSITIVE_INFINITY } = this.#input
    while (this.#at.nowMs < toMs && this.#at.programmes.length < max) {
      this.#planNext(this.#at.grid.segmentAt(this.#at.nowMs))
      yield
    }
    const blocked = this.#at.blockedRequests()
    return { programmes: this.#at.programmes, state: this.#at.state(), ...(blocked && { blocked }) }
  }

  replay(programmes: readonly ReplayedProgramme[]): PlanState {
    for (const programme of programmes) {
      const { itemId, startsAtMs, endsAtMs, reason, isResumed, isRest } = programme
      this.#at.nowMs = startsAtMs
      const segment = this.#at.grid.segmentAt(this.#at.nowMs)
      const { skipped = [], action } = reason.edit ?? {}
      for (const item of skipped) this.#at.replaySkipped(segment, item)
      this.#at.enterSlot(segment, reason.slot)
      if (itemId !== null) {
        const queue = reason.source === null ? undefined : this.#at.queue(reason.source)
        const isTaken = isRest || (isResumed && queue?.isLast(itemId))
        if (!isTaken) queue?.replay({ ...programme, itemId })
      }
      const turn = turnOf(programme)
      if (turn !== null) this.#at.airedElsewhere(turn, reason.source)
      for (const airing of airingOf(programme)) this.#at.history.record(airing)
      if (action !== 'inserted') this.#at.countInSlot(segment, endsAtMs - startsAtMs)
    }
    return this.#at.state()
  }

  /** The state at the beginning: of the sources `names`, with what has joined and without what has left them. */
  startState(names: readonly string[]): PlanState {
    for (const name of names) this.#at.queue(name)
    return this.#at.state()
  }

  #planNext(segment: Segment): void {
    const { remainingMs } = this.#at
    const clock = clockOf(this.#input.document, segment)
    const slot = this.#at.clock.enter(clockStartOf(segment), clock)
    if (remainingMs <= IDENT_MAX_MS) this.#at.addCard(segment, 'countdown', null, remainingMs)
    else if (this.#insertOverdue(segment)) return
    else if (slot !== null && 'ident' in slot && hasTimeFor(slot.durationMs, remainingMs)) {
      this.#at.addCard(segment, 'ident', slot.ident, slot.durationMs)
    } else if (slot !== null && 'ident' in slot && clock?.some((other) => 'source' in other))
      this.#at.clock.skip()
    else if (this.#isPaused(segment)) this.#at.addCard(segment, 'ident', 'station', cardMs(remainingMs))
    else if (this.#at.mustFit(segment)) this.#planFit(segment, slot, remainingMs)
    else this.#planVideo(segment, slot, remainingMs)
  }

  #planFit(segment: Segment, slot: Slot | null, remainingMs: number): void {
    const hardStartMs = this.#at.nowMs + remainingMs
    const names = [...sourcesOf(this.#input.document, segment, slot)]
    const fillers = Object.entries(this.#input.document.sources)
      .filter(([, source]) => source.kind === 'filler')
      .map(([name]) => name)
    const choice = this.#choice(segment, (durationMs) => durationMs <= remainingMs)
    const tried: Chosen[] = []
    for (const source of new Set([...names, ...fillers])) {
      const found = this.#at.queue(source)?.candidates(choice, FIT_CANDIDATES) ?? []
      const known = new Set(tried.map(({ video }) => video.id))
      const mayAir = ({ itemId, video }: Candidate) =>
        !known.has(video.id) && !this.#edits.isLeftOut({ source, itemId }, this.#at.nowMs)
      tried.push(...found.filter(mayAir).map((one) => ({ ...one, source })))
      const fit = findFit(remainingMs, tried)
      if (fit === undefined && tried.length >= FIT_CANDIDATES) break
      if (fit === undefined) continue
      for (const { source: from, itemId, video } of fit.candidates) {
        if (this.#applyEdit(segment, { source: from, itemId, video })) return
        // What was allowed at the beginning may be forbidden at its own start, by its artist or by the time of day.
        const breaches = this.#at.check(segment).breaches(video.id)
        if (breaches === undefined) return
        this.#at.addVideo(segment, from, { itemId, video, breaches }, this.#at.nowMs + video.durationMs)
      }
      if (fit.gapMs > 0) this.#at.addCard(segment, 'countdown', null, fit.gapMs)
      return
    }
    this.#planCut(segment, names, hardStartMs)
  }

  /** Plans a video although none fits: it is cut short at the hard start, unless it leaves time for another one. */
  #planCut(segment: Segment, names: readonly string[], hardStartMs: number): void {
    // A request that is cut short would be charged as a whole.
    const videos = names.filter((name) => !isRequestSource(this.#input.document, name))
    const chosen = this.#chooseFrom(videos, this.#choice(segment, ANY))
    if (chosen === undefined) this.#beginPause(segment, names, hardStartMs - this.#at.nowMs)
    else this.#air(segment, chosen, Math.min(this.#at.nowMs + chosen.video.durationMs, hardStartMs))
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
      this.#air(segment, chosen, this.#at.nowMs + chosen.video.durationMs)
    } else if (mustPause) this.#beginPause(segment, names, remainingMs)
    else this.#planCut(segment, names, this.#at.nowMs + remainingMs)
  }

  /** Airs a chosen video, unless a log edit airs something else first. */
  #air(segment: Segment, chosen: Chosen, endsAtMs: number): void {
    if (!this.#applyEdit(segment, chosen)) this.#at.addVideo(segment, chosen.source, chosen, endsAtMs)
  }

  /** Applies the next log edit at a chosen video. Returns whether it has changed what is next: then choose again. */
  #applyEdit(segment: Segment, chosen: Pick<Chosen, 'source' | 'itemId' | 'video'>): boolean {
    for (;;) {
      const change = this.#edits.changeAt(chosen, this.#at.nowMs)
      if (change === undefined) return false
      const { operation } = change
      const video = change.action === 'skip' ? chosen.video : this.#fitting(change.videoId)
      if (video === undefined) {
        this.#edits.postpone(change)
        continue
      }
      this.#edits.finish(change)
      if (change.action === 'skip') this.#at.skip(segment, chosen, operation.id)
      else if (change.action === 'insert') this.#at.addInserted(segment, video, change)
      else this.#at.addReplacement(segment, chosen, video, operation.id)
      return true
    }
  }

  /** Inserts a video of a log edit whose programme has not come. */
  #insertOverdue(segment: Segment): boolean {
    const isGone = ({ source, itemId }: { source: string | null; itemId: string }) =>
      source !== null && !this.#at.queue(source)?.has(itemId)
    const change = this.#edits.overdueAt(this.#at.nowMs, isGone)
    const video = change && this.#fitting(change.videoId)
    if (change === undefined || video === undefined) return false
    this.#edits.finish(change)
    this.#at.addInserted(segment, video, change)
    return true
  }

  /** A video of the library that ends before the next hard start if it starts now. */
  #fitting(videoId: string): LibraryVideo | undefined {
    const video = this.#at.history.stateOf(videoId)?.video
    return video !== undefined && video.durationMs <= this.#at.remainingMs ? video : undefined
  }

  /** Begins to fill the time with idents, because hard rules forbid every video, until they may allow one. */
  #beginPause(segment: Segment, names: readonly string[], remainingMs: number): void {
    const check = this.#at.check(segment)
    const instants = names.map((name) => this.#at.queue(name)?.allowedFrom(check) ?? Number.POSITIVE_INFINITY)
    this.#pause = { segment, untilMs: Math.min(...instants) }
    this.#at.addCard(segment, 'ident', 'station', cardMs(remainingMs))
  }

  #isPaused(segment: Segment): boolean {
    return this.#pause?.segment === segment && this.#at.nowMs < this.#pause.untilMs
  }

  #chooseFrom(names: readonly string[], choice: Choice): Chosen | undefined {
    for (const source of names) {
      const candidate = this.#at.queue(source)?.choose(choice)
      if (candidate !== undefined) return { ...candidate, source }
    }
    return undefined
  }

  #choice(segment: Segment, fits: Choice['fits']): Choice {
    return { check: this.#at.check(segment), startMs: this.#at.nowMs, fits }
  }
}
