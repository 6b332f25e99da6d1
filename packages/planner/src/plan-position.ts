import type { IdentKind, Source } from '@looptide/contracts/schedule'
import type { Candidate } from './candidate.ts'
import { ClockCursor } from './clock-cursor.ts'
import { FIT_WITHIN_MS } from './find-fit.ts'
import { type Segment, segmentsOf } from './grid.ts'
import { GridCursor } from './grid-cursor.ts'
import type { LibraryVideo } from './library.ts'
import { LocalDays } from './local-days.ts'
import { airingOf, type EditTrace, type Insertion, type SkippedItem, skippedTurn } from './log-edits.ts'
import type { BlockedRequest, PlanInput, PlanState, ProgrammeReason, ScheduledProgramme } from './plan.ts'
import { RequestPool } from './request-pool.ts'
import { type ItemQueue, RequestQueue } from './request-queue.ts'
import { AirHistory, effectiveRules, isRelaxable, RuleCheck, rulesIn } from './rules.ts'
import { clockOf, clockStartOf, maySkip, requestCurrency } from './segment-sources.ts'
import { SourceQueue } from './source-queue.ts'

/** Time beyond the end of a plan for which the grid is read, in ms: longer than any video. */
const LOOKAHEAD_MS = 48 * 3_600_000

/** What has been planned so far, and the position from which planning continues: in time, in the clock, in the sources. */
export class PlanPosition {
  readonly grid: GridCursor
  readonly clock: ClockCursor
  readonly history: AirHistory
  readonly programmes: ScheduledProgramme[] = []
  readonly #input: PlanInput
  readonly #queues = new Map<string, ItemQueue>()
  readonly #requests: RequestPool | undefined
  readonly #isReplay: boolean
  readonly #maySkip: boolean
  /** Programmes that log edits have left out since the last one that was planned. */
  #skipped: SkippedItem[] = []
  /** Start of the next programme (epoch ms). */
  nowMs: number

  constructor(input: PlanInput, isReplay: boolean) {
    this.#input = input
    this.#isReplay = isReplay
    this.#maySkip = maySkip(input.document)
    this.#requests = input.requests && new RequestPool(input.requests)
    this.grid = new GridCursor(segmentsOf(input.document, input.fromMs, input.toMs + LOOKAHEAD_MS))
    this.history = new AirHistory(input.library, new LocalDays(input.document.timeZone), input.history)
    this.clock = new ClockCursor(input.state?.slot ?? null)
    this.nowMs = input.fromMs
  }

  state(): PlanState {
    const sources = Object.fromEntries(
      [...this.#queues].flatMap(([name, queue]) => (queue.state ? [[name, queue.state()]] : [])),
    )
    return { sources: { ...this.#input.state?.sources, ...sources }, slot: this.clock.position }
  }

  /** The requests that a rule forbids and that are not planned; undefined without requests. */
  blockedRequests(): readonly BlockedRequest[] | undefined {
    return this.#requests?.blocked()
  }

  /** Time until the next hard start, in ms. */
  get remainingMs(): number {
    return this.grid.nextHardStart() - this.nowMs
  }

  /** Whether the time until the hard start is short enough to be filled as a whole, and all of it is the segment's. */
  mustFit(segment: Segment): boolean {
    const hardStartMs = this.grid.nextHardStart()
    return hardStartMs - this.nowMs <= FIT_WITHIN_MS && segment.endMs >= hardStartMs
  }

  /**
   * Counts a programme that starts now for the current slot. Those that fill the time until a hard start are chosen as a
   * whole from one slot: without counting, a plan that continues among them stays in that slot too.
   */
  countInSlot(segment: Segment, durationMs: number): void {
    if (!this.mustFit(segment)) this.clock.count(durationMs)
  }

  check(segment: Segment): RuleCheck {
    const rules = effectiveRules(this.#input.document, segment.item?.rules)
    return new RuleCheck(rules, this.history, this.nowMs)
  }

  queue(name: string): ItemQueue | undefined {
    const existing = this.#queues.get(name)
    if (existing !== undefined) return existing
    const queue = this.#newQueue(name)
    if (queue !== undefined) this.#queues.set(name, queue)
    return queue
  }

  #newQueue(name: string): ItemQueue | undefined {
    const { document, playlists, library, seed, state, fromMs } = this.#input
    const { planned, previous } = this.#input
    const currency = requestCurrency(document, name)
    if (currency !== undefined)
      return this.#requests && new RequestQueue(currency, this.#requests, this.history)
    const source = document.sources[name]
    if (source === undefined) return undefined
    return new SourceQueue({
      name,
      source,
      playlist: source.kind === 'playlist' ? (playlists.get(source.channelId ?? '') ?? []) : [],
      library,
      history: this.history,
      seed,
      nowMs: fromMs,
      state: state?.sources[name],
      maySkip: this.#maySkip,
      isReplay: this.#isReplay,
      planned,
      previous,
    })
  }

  addVideo(segment: Segment, source: string, candidate: Candidate, endsAtMs: number): void {
    const { itemId, video, breaches, request } = candidate
    const startsCycle = this.queue(source)?.take(itemId) ?? false
    const reason = {
      ...{ ...this.#reason(segment), ...this.#place(segment), source, relaxed: rulesIn(breaches) },
      ...(request && { request }),
      ...againOf(this.#input.document.sources[source], itemId),
    }
    this.airedElsewhere(video.id, source)
    this.#addVideo(segment, { itemId, video, endsAtMs, startsCycle, reason })
  }

  /** Adds the video of a log edit, as a programme of its own between those of the schedule. */
  addInserted(segment: Segment, video: LibraryVideo, { operation, itemId }: Insertion): void {
    const breaks = this.check(segment).broken(video.id)
    const edit: EditTrace = {
      operationId: operation.id,
      action: 'inserted',
      replaced: null,
      breaks,
      skipped: [],
    }
    const place = { source: null, number: null, count: null }
    const reason = { ...this.#reason(segment), ...place, relaxed: breaks.filter(isRelaxable), edit }
    const endsAtMs = this.nowMs + video.durationMs
    this.#addVideo(segment, { itemId, video, endsAtMs, startsCycle: false, reason })
  }

  /** Adds the video of a log edit at the place of a programme of the schedule, which counts as aired for its source. */
  addReplacement(
    segment: Segment,
    { source, itemId, video: planned }: Pick<Candidate, 'itemId' | 'video'> & { source: string },
    video: LibraryVideo,
    operationId: string,
  ): void {
    const startsCycle = this.queue(source)?.take(itemId, false) ?? false
    const breaks = this.check(segment).broken(video.id)
    const edit: EditTrace = { operationId, action: 'replaced', replaced: planned.id, breaks, skipped: [] }
    const reason = {
      ...{ ...this.#reason(segment), ...this.#place(segment), source },
      ...{ relaxed: breaks.filter(isRelaxable), edit },
    }
    this.airedElsewhere(planned.id, source)
    this.#addVideo(segment, { itemId, video, endsAtMs: this.nowMs + video.durationMs, startsCycle, reason })
  }

  /** Leaves a programme of the schedule out. It counts as aired for its source and its slot, not for rules. */
  skip(
    segment: Segment,
    { source, itemId, video }: Omit<Candidate, 'breaches'> & { source: string },
    id: string,
  ) {
    const slot = this.clock.position?.slot ?? null
    this.queue(source)?.take(itemId, false)
    this.history.record(skippedTurn(video.id, this.nowMs, this.#skipped.length))
    this.#skipped.push({
      ...{ operationId: id, source, itemId, videoId: video.id },
      ...{ slot, durationMs: video.durationMs },
    })
    this.#countSkipped(segment, video.id, source, video.durationMs)
  }

  replaySkipped(segment: Segment, { source, itemId, videoId, slot, durationMs }: SkippedItem): void {
    this.enterSlot(segment, slot)
    this.queue(source)?.replay({ itemId, startsCycle: null, isJoined: false })
    this.#countSkipped(segment, videoId, source, durationMs)
  }

  #countSkipped(segment: Segment, videoId: string, source: string, durationMs: number): void {
    this.airedElsewhere(videoId, source)
    this.countInSlot(segment, durationMs)
  }

  /** Continues in a slot of the segment's clock. */
  enterSlot(segment: Segment, slot: number | null): void {
    this.clock.enterSlot(clockStartOf(segment), clockOf(this.#input.document, segment), slot)
  }

  airedElsewhere(videoId: string, source: string | null): void {
    for (const [name, queue] of this.#queues) if (name !== source) queue.aired(videoId)
  }

  addCard(segment: Segment, kind: 'ident' | 'countdown', ident: IdentKind | null, durationMs: number): void {
    this.#add(segment, {
      kind,
      ident,
      itemId: null,
      videoId: null,
      startsAtMs: this.nowMs,
      endsAtMs: this.nowMs + durationMs,
      isCutShort: false,
      startsCycle: false,
      reason: { ...this.#reason(segment), source: null, number: null, count: null, relaxed: [] },
    })
  }

  #addVideo(
    segment: Segment,
    added: {
      itemId: string
      video: LibraryVideo
      endsAtMs: number
      startsCycle: boolean
      reason: ProgrammeReason
    },
  ): void {
    const { itemId, video, endsAtMs, startsCycle, reason } = added
    const startsAtMs = this.nowMs
    this.#add(segment, {
      kind: 'video',
      ident: null,
      itemId,
      videoId: video.id,
      startsAtMs,
      endsAtMs,
      isCutShort: endsAtMs - startsAtMs < video.durationMs,
      startsCycle,
      reason,
    })
  }

  #add(segment: Segment, programme: ScheduledProgramme): void {
    const { reason, startsAtMs, endsAtMs } = programme
    const skipped = this.#skipped
    if (skipped.length > 0) {
      const edit = reason.edit ?? { operationId: null, action: null, replaced: null, breaks: [], skipped }
      programme.reason = { ...reason, edit: { ...edit, skipped } }
      this.#skipped = []
    }
    this.programmes.push(programme)
    for (const airing of airingOf(programme)) this.history.record(airing)
    if (reason.edit?.action !== 'inserted') this.countInSlot(segment, endsAtMs - startsAtMs)
    this.nowMs = endsAtMs
  }

  /** The place of the next programme in a slot of several videos. */
  #place(segment: Segment): Pick<ProgrammeReason, 'number' | 'count'> {
    const position = this.clock.position
    const slot = clockOf(this.#input.document, segment)?.[position?.slot ?? -1]
    if (position === null || slot === undefined || !('count' in slot) || (slot.count ?? 1) < 2) {
      return { number: null, count: null }
    }
    if (this.mustFit(segment)) return { number: null, count: null }
    return { number: position.count + 1, count: slot.count ?? null }
  }

  #reason({ item, kind }: Segment): Pick<ProgrammeReason, 'blockId' | 'specialId' | 'slot'> {
    return {
      blockId: kind === 'block' ? (item?.id ?? null) : null,
      specialId: kind === 'special' ? (item?.id ?? null) : null,
      slot: this.clock.position?.slot ?? null,
    }
  }
}

/** The past programme that an item of a source airs again; empty for items of other sources. */
function againOf(source: Source | undefined, itemId: string): Pick<ProgrammeReason, 'again'> {
  if (source?.kind !== 'airings') return {}
  const airing = source.airings.find(({ id }) => id === itemId)
  if (airing === undefined) return {}
  const { startedAtMs, endedAtMs } = airing
  return { again: { channelId: source.channelId, startedAtMs, endedAtMs } }
}
