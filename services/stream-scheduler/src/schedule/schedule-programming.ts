import type { ScheduleProblem } from '@looptide/contracts/schedule'
import { sourceProblems } from '@looptide/planner/check-sources'
import { artistKey, type PlaylistItem } from '@looptide/planner/library'
import { afterProgrammes, plannedItems } from '@looptide/planner/log-commands'
import type { LogOperation } from '@looptide/planner/log-edits'
import type {
  PlanInput,
  PlanState,
  PreviousProgramme,
  ScheduledProgramme,
  SchedulePlan,
} from '@looptide/planner/plan'
import { planInSteps, replaySchedule, startStateOf } from '@looptide/planner/plan-schedule'
import { dependsOnHistory } from '@looptide/planner/segment-sources'
import { itemsOf } from '@looptide/planner/source-items'
import type { ChannelRow, ProgrammeRow, Store, StoredReason, Trx } from '../db/schema.ts'
import { readRequestInput } from '../queues/request-input.ts'
import type { Plan, PlanAfter, PlannedProgramme, Programming, ReplanMode } from '../timeline/programming.ts'
import { EXTEND_TO_MS, MAX_PLANNED } from '../timeline/rules.ts'
import { programmesIn } from '../timeline/timeline-repository.ts'
import { freezeMsOf } from './freeze-interval.ts'
import { readEditedProgrammes, readLogEdits } from './log-edit-repository.ts'
import { findArtistOf } from './loop-repository.ts'
import {
  beginningAgain,
  type ChangedStart,
  continuesCycle,
  type KnownStart,
  type PlanStart,
  seedFor,
} from './plan-start.ts'
import { readReplayedRows, rowAiring, toReplayed } from './replayed-row-repository.ts'
import { runInSlices } from './run-in-slices.ts'
import { checksumOf, type ScheduleMaterial } from './schedule-material.ts'
import { readHistory, readLastAired, readState, type StoredState, saveState } from './schedule-repository.ts'

/** Time (ms) for which a stored state is not moved. Programmes stay longer after their end, so a replay finds them. */
const STATE_KEPT_MS = 2 * 3_600_000
/** Maximum number of programmes from which a loop without a stored state continues. */
const MAX_REPLAYED = 2000

/** The programming of a channel by its schedule. A loop is a schedule with the playlist as its only source. */
export class ScheduleProgramming implements Programming {
  readonly seed: string
  readonly freezeMs: number
  readonly #channel: ChannelRow
  readonly #material: ScheduleMaterial

  constructor(channel: ChannelRow, material: ScheduleMaterial, mode: ReplanMode) {
    this.#channel = channel
    this.#material = material
    this.seed = seedFor(channel, mode)
    this.freezeMs = freezeMsOf(material.document)
  }

  get checksum(): string | null {
    return this.#material.isLoop ? null : checksumOf(this.#material)
  }

  countVideos(nowMs: number): number {
    const { document, library, playlists, isLoop } = this.#material
    if (isLoop) return playlists.get('')?.length ?? 0
    const ids = Object.values(document.sources).flatMap((source) => {
      const playlist: readonly PlaylistItem[] =
        source.kind === 'playlist' ? (playlists.get(source.channelId ?? '') ?? []) : []
      return itemsOf({ source, playlist, library: library.videos, nowMs })
    })
    return new Set(ids.map(({ videoId }) => videoId)).size
  }

  problemsAt(nowMs: number): ScheduleProblem[] {
    const { document, library, playlists, isLoop } = this.#material
    return isLoop ? [] : sourceProblems(document, { library: library.videos, playlists, nowMs })
  }

  async planAfter(db: Store, after: PlanAfter, mode: ReplanMode): Promise<Plan> {
    const { fixed, current, seq, startsAtMs, untilMs } = after
    const start = await this.startAfter(db, after, mode)
    const cycleSeq = start.cycleSeq ?? (this.#material.isLoop ? fixed.roundSeq : undefined)
    const edits = await this.#editsAfter(db, fixed.seq, startsAtMs)
    const planned = plannedItems(current)
    return this.#replan({ ...start, planned, cycleSeq, edits }, { seq, startsAtMs, untilMs }, mode)
  }

  /** The start of a future that follows a programme, which counts as aired. */
  async startAfter(
    db: Store,
    { fixed, between = [], startsAtMs }: Pick<PlanAfter, 'fixed' | 'between' | 'startsAtMs'>,
    mode: ReplanMode,
  ): Promise<ChangedStart> {
    const known = await this.startAt(db, fixed.seq + 1, between[0]?.startsAtMs ?? startsAtMs)
    const requests = await this.#requestsFrom(db, fixed.seq + 1, mode)
    const isFrozen = fixed.seq > this.#channel.airedSeq + 1
    const keepsState = isFrozen && continuesCycle(mode) && known.isKnown
    // A later replay continues from the kept state, which does not contain that a new source has begun.
    const hasPrevious = this.#material.isLoop || !keepsState
    const previous = hasPrevious ? await this.#previousOf(db, fixed) : undefined
    const history = [...known.history, ...between]
    return { ...known, ...requests, history, keepsState, ...(previous && { previous }) }
  }

  async planFrom(db: Store, startsAtMs: number, untilMs: number, mode: ReplanMode): Promise<Plan> {
    const { nextSeq: seq } = this.#channel
    const start = await this.startFrom(db, startsAtMs)
    const edits = await this.#editsAfter(db, seq - 1, startsAtMs)
    return this.#replan({ ...start, edits }, { seq, startsAtMs, untilMs }, mode)
  }

  /** The start of the future of a channel that is off the air. What was on last is not repeated by a schedule. */
  async startFrom(db: Store, startsAtMs: number): Promise<ChangedStart> {
    const { id, nextSeq } = this.#channel
    const known = await this.startAt(db, nextSeq, startsAtMs)
    const last = this.#material.isLoop ? undefined : await readLastAired(db, id)
    const previous = last && { itemId: null, videoId: last.id, artist: artistKey(last) }
    const requests = await this.#requestsFrom(db, nextSeq, 'restart')
    return { ...known, ...requests, keepsState: false, ...(previous && { previous }) }
  }

  /** The requests for a plan that begins with the programme `seq`. Only an edit keeps what has been announced. */
  async #requestsFrom(db: Store, seq: number, mode: ReplanMode): Promise<Pick<PlanStart, 'requests'>> {
    if (!this.#material.takesRequests) return {}
    const requests = await readRequestInput(db, this.#channel.id, seq)
    if (requests === undefined) return {}
    return { requests: mode === 'edit' ? requests : { ...requests, announcedUntilMs: 0 } }
  }

  /** A loop may begin with the video on the air: its order is that of the playlist. */
  async #previousOf(db: Store, { itemId, videoId, reason }: ProgrammeRow): Promise<PreviousProgramme> {
    const artist = await findArtistOf(db, videoId)
    if (!this.#material.isLoop) return { itemId: null, videoId, artist }
    return { itemId: reason?.request === undefined ? itemId : null, videoId: null, artist }
  }

  /** The log edits for a plan that follows the programme `seq`. A loop has none: its playlist is edited instead. */
  async #editsAfter(db: Store, seq: number, startsAtMs: number): Promise<LogOperation[]> {
    const { id } = this.#channel
    const edits = this.#material.isLoop ? [] : await readLogEdits(db, id, startsAtMs)
    if (edits.length === 0) return []
    const operations = edits.flatMap((edit) => edit.operations)
    return afterProgrammes(operations, await readEditedProgrammes(db, id, seq))
  }

  /**
   * Moves a stored state that has become old to the programme on the air, so that replays stay short. It is not moved
   * further, since an edit plans again from there.
   */
  async planExtension(db: Store, untilMs: number): Promise<Plan> {
    const { id, nextSeq, endsAtMs, airedSeq } = this.#channel
    const startsAtMs = endsAtMs ?? 0
    const stored = await this.#storedState(db, nextSeq)
    const { programmes, requests } =
      startsAtMs < untilMs ? await this.#planEnd(db, stored, startsAtMs, untilMs) : NO_PLAN
    const isOld = stored === undefined || stored.startsAtMs < untilMs - EXTEND_TO_MS - STATE_KEPT_MS
    const save = async (trx: Trx) => {
      const [onAir] = isOld ? await programmesIn(trx, id, airedSeq, airedSeq) : []
      if (onAir !== undefined) await this.#saveStateAt(trx, onAir.seq, onAir.startsAtMs)
    }
    return { programmes, requests, save }
  }

  async #planEnd(db: Store, stored: StoredState | undefined, startsAtMs: number, untilMs: number) {
    const { nextSeq } = this.#channel
    const start = await this.#replayTo(db, stored, nextSeq, startsAtMs)
    const requests = await this.#requestsFrom(db, nextSeq, 'edit')
    return this.#plan(nextSeq, startsAtMs, untilMs, { ...start, ...requests })
  }

  saveProgress(trx: Trx, { seq, endsAtMs }: ProgrammeRow): Promise<void> {
    return this.#saveStateAt(trx, seq + 1, endsAtMs)
  }

  async #saveStateAt(trx: Trx, seq: number, startsAtMs: number): Promise<void> {
    const { state, isKnown } = await this.startAt(trx, seq, startsAtMs)
    if (isKnown || state !== null) await saveState(trx, this.#channel.id, { seq, startsAtMs, state })
  }

  /** The state before the programme `seq`, which starts at `startsAtMs`: the stored one and a replay of what followed it. */
  async startAt(db: Store, seq: number, startsAtMs: number): Promise<KnownStart> {
    return this.#replayTo(db, await this.#storedState(db, seq), seq, startsAtMs)
  }

  /** The stored state, if it is of a programme up to `seq`, and of a loop or a schedule as this one. */
  async #storedState(db: Store, seq: number): Promise<StoredState | undefined> {
    const { id, scheduleVersion } = this.#channel
    if (this.#material.isLoop !== (scheduleVersion === 0)) return undefined
    const stored = await readState(db, id)
    return stored !== undefined && stored.seq <= seq ? stored : undefined
  }

  async #replayTo(
    db: Store,
    stored: StoredState | undefined,
    seq: number,
    startsAtMs: number,
  ): Promise<KnownStart> {
    const { id, airedSeq } = this.#channel
    const { document, isLoop } = this.#material
    // Without a state a loop continues from its programmes: an earlier release has planned them.
    const firstSeq = stored?.seq ?? (isLoop ? Math.max(1, seq - MAX_REPLAYED) : seq)
    const usesHistory = dependsOnHistory(document)
    // Started programmes are in the air log. Later ones, which also count as aired, are in the timeline.
    const fromSeq = usesHistory ? Math.min(firstSeq, airedSeq + 1) : firstSeq
    const known = await readReplayedRows(db, id, fromSeq - 1, seq - 1)
    const cycleSeq = isLoop ? known.findLast(({ kind }) => kind === 'loop')?.cycleSeq : undefined
    const rows = known.filter((row) => row.seq >= fromSeq)
    const logged = usesHistory ? await readHistory(db, id, rows[0]?.startsAtMs ?? startsAtMs) : []
    const aired = usesHistory ? [...logged, ...rows.flatMap(rowAiring)] : []
    // What a reset or takeover cuts short has its full length until the plan is written.
    const history = aired.map((airing) => ({ ...airing, endsAtMs: Math.min(airing.endsAtMs, startsAtMs) }))
    const isKnown = stored !== undefined
    const state = stored?.state ?? null
    const replayed = rows.filter((row) => row.seq >= firstSeq)
    if ((!isKnown && !isLoop) || replayed.length === 0) return { state, history, cycleSeq, isKnown }
    const earlier = usesHistory ? rows.filter((row) => row.seq < firstSeq) : []
    const input = this.#inputFrom({ state, history: [...logged, ...earlier.flatMap(rowAiring)] })
    const fromMs = replayed[0]?.startsAtMs ?? startsAtMs
    const before = known.find((row) => row.seq === firstSeq - 1)
    const after = replaySchedule({ ...input, fromMs }, toReplayed(replayed, before, isLoop))
    return { state: after, history, cycleSeq, isKnown }
  }

  /** Programmes from `fromMs` to at least `toMs` (epoch ms), and where planning continues. */
  planSpan(start: PlanStart, fromMs: number, toMs: number, max?: number): Promise<SchedulePlan> {
    const input = { ...this.#inputFrom(start), fromMs, toMs, ...(max !== undefined && { max }) }
    return runInSlices(planInSteps(input))
  }

  /** Plans `span`. */
  async #replan(
    known: ChangedStart,
    span: Pick<PlanAfter, 'seq' | 'startsAtMs' | 'untilMs'>,
    mode: ReplanMode,
  ): Promise<Plan> {
    const { seq, startsAtMs, untilMs } = span
    const { id } = this.#channel
    const { requests: input, ...start } = continuesCycle(mode) ? known : beginningAgain(known)
    const { programmes, requests, end } = await this.#plan(seq, startsAtMs, untilMs, {
      ...start,
      ...(input && { requests: input }),
    })
    const save = async (trx: Trx) => {
      if (known.keepsState) return
      const input = { ...this.#inputFrom(start), fromMs: startsAtMs }
      await saveState(trx, id, { seq, startsAtMs, state: startStateOf(input, Object.keys(end.sources)) })
    }
    return { programmes, requests, save }
  }

  async #plan(seq: number, startsAtMs: number, untilMs: number, start: PlanStart): Promise<PlannedSpan> {
    const { isLoop, playlists } = this.#material
    if (isLoop && playlists.get('')?.length === 0) return NO_PLAN
    const { programmes, state: end, blocked } = await this.planSpan(start, startsAtMs, untilMs, MAX_PLANNED)
    let cycleSeq = start.cycleSeq ?? seq
    const planned = programmes.map((programme, index) => {
      if (programme.startsCycle || !isLoop) cycleSeq = seq + index
      return this.#toPlanned(programme, seq + index, cycleSeq)
    })
    const requests = start.requests && { sequence: start.requests.sequence, blocked: blocked ?? [] }
    return { programmes: planned, requests, end }
  }

  #toPlanned(programme: ScheduledProgramme, seq: number, cycleSeq: number): PlannedProgramme {
    const { kind, ident, itemId, videoId, startsAtMs, endsAtMs, isCutShort, reason } = programme
    const { library, version, isLoop } = this.#material
    const videoVersion = videoId === null ? 0 : (library.versions.get(videoId) ?? 0)
    const hasReason = !isLoop || reason.request !== undefined
    const stored: StoredReason | null = hasReason ? { ...reason, version, ident, cut: isCutShort } : null
    const times = { startsAtMs, endsAtMs, offsetMs: 0 }
    return { seq, kind, cycleSeq, itemId, videoId, videoVersion, ...times, reason: stored }
  }

  #inputFrom({
    state,
    history,
    planned,
    previous,
    edits,
    requests,
  }: PlanStart): Omit<PlanInput, 'fromMs' | 'toMs'> {
    const { document, library, playlists } = this.#material
    return {
      document,
      library: library.videos,
      playlists,
      history,
      seed: this.seed,
      state,
      ...(planned && { planned }),
      ...(previous && { previous }),
      ...(edits && { edits }),
      ...(requests && { requests }),
    }
  }
}

/** `end`: the state at the end of the plan. */
type PlannedSpan = Pick<Plan, 'programmes' | 'requests'> & { end: PlanState }

const NO_PLAN: PlannedSpan = { programmes: [], end: { sources: {}, slot: null } }
