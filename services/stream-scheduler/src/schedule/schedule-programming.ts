import type { ScheduleProblem } from '@looptide/contracts/schedule'
import { sourceProblems } from '@looptide/planner/check-sources'
import type { Airing, PlaylistItem } from '@looptide/planner/library'
import type {
  PlanInput,
  PlanState,
  ReplayedProgramme,
  ScheduledProgramme,
  SchedulePlan,
} from '@looptide/planner/plan'
import { planInSteps, replaySchedule } from '@looptide/planner/plan-schedule'
import { itemsOf } from '@looptide/planner/source-queue'
import type { ChannelRow, ProgrammeRow, Store, StoredReason, Trx } from '../db/schema.ts'
import { continuesCycle, seedFor } from '../timeline/loop-programming.ts'
import type { Plan, PlanAfter, PlannedProgramme, Programming, ReplanMode } from '../timeline/programming.ts'
import { programmesIn } from '../timeline/timeline-repository.ts'
import { runInSlices } from './run-in-slices.ts'
import type { ScheduleMaterial } from './schedule-material.ts'
import { readHistory, readState, saveState } from './schedule-repository.ts'

/** The planner's state at the start of a programme, and what aired or is planned before it. */
export interface PlanStart {
  state: PlanState | null
  history: readonly Airing[]
}

/** A channel that follows its schedule. */
export class ScheduleProgramming implements Programming {
  readonly seed: string
  readonly #channel: ChannelRow
  readonly #material: ScheduleMaterial

  constructor(channel: ChannelRow, material: ScheduleMaterial, mode: ReplanMode) {
    this.#channel = channel
    this.#material = material
    this.seed = seedFor(channel, mode)
  }

  countVideos(nowMs: number): number {
    const { document, library, playlists } = this.#material
    const ids = Object.entries(document.sources).flatMap(([name, source]) => {
      const playlist: readonly PlaylistItem[] =
        source.kind === 'playlist' ? (playlists.get(source.channelId ?? '') ?? []) : []
      return itemsOf({ name, source, playlist, library: library.videos, nowMs })
    })
    return new Set(ids.map(({ videoId }) => videoId)).size
  }

  problemsAt(nowMs: number): ScheduleProblem[] {
    const { document, library, playlists } = this.#material
    return sourceProblems(document, { library: library.videos, playlists, nowMs })
  }

  planAfter(db: Store, { fixed, ...span }: PlanAfter, mode: ReplanMode): Promise<Plan> {
    return this.#replan(db, fixed.seq + 1, span, mode)
  }

  planFrom(db: Store, startsAtMs: number, untilMs: number, mode: ReplanMode): Promise<Plan> {
    const { nextSeq } = this.#channel
    return this.#replan(db, nextSeq, { seq: nextSeq, startsAtMs, untilMs }, mode)
  }

  /**
   * Moves the stored state to the programme on the air, so that replays stay short. It is not moved further, since an
   * edit plans again from there.
   */
  async planExtension(db: Store, untilMs: number): Promise<Plan> {
    const { id, nextSeq, endsAtMs, airedSeq } = this.#channel
    const startsAtMs = endsAtMs ?? 0
    const start = await this.startAt(db, nextSeq, startsAtMs)
    const programmes = await this.#plan(nextSeq, startsAtMs, untilMs, start)
    const [onAir] = await programmesIn(db, id, airedSeq, airedSeq)
    return {
      programmes,
      save: async (trx) => {
        if (onAir !== undefined) await this.#saveStateAt(trx, onAir.seq, onAir.startsAtMs)
      },
    }
  }

  saveProgress(trx: Trx, { seq, endsAtMs }: ProgrammeRow): Promise<void> {
    return this.#saveStateAt(trx, seq + 1, endsAtMs)
  }

  async #saveStateAt(trx: Trx, seq: number, startsAtMs: number): Promise<void> {
    const { state, isKnown } = await this.startAt(trx, seq, startsAtMs)
    if (isKnown) await saveState(trx, this.#channel.id, { seq, startsAtMs, state })
  }

  /** The state before the programme `seq`, which starts at `startsAtMs`: the stored one and a replay of what followed it. */
  async startAt(
    db: Store,
    seq: number,
    startsAtMs: number,
  ): Promise<PlanStart & { /** Whether a state was stored. */ isKnown: boolean }> {
    const { id, airedSeq } = this.#channel
    const stored = await readState(db, id)
    const known = stored !== undefined && stored.seq <= seq ? stored : undefined
    // The air log has what has started. Programmes after it count as aired, too, and are in the timeline.
    const rows = await programmesIn(db, id, Math.min(known?.seq ?? seq, airedSeq + 1), seq - 1)
    const logged = await readHistory(db, id, rows[0]?.startsAtMs ?? startsAtMs)
    const history = [...logged, ...rows.flatMap(airingOf)]
    if (known === undefined) return { state: null, history, isKnown: false }
    const before = rows.filter((row) => row.seq < known.seq)
    const replayed = rows.slice(before.length)
    const state = replaySchedule(
      {
        ...this.#inputFrom({ state: known.state, history: [...logged, ...before.flatMap(airingOf)] }),
        fromMs: replayed[0]?.startsAtMs ?? startsAtMs,
      },
      replayed.map(toReplayed),
    )
    return { state, history, isKnown: true }
  }

  /** Programmes from `fromMs` to at least `toMs` (epoch ms), and where planning continues. */
  planSpan(start: PlanStart, fromMs: number, toMs: number): Promise<SchedulePlan> {
    return runInSlices(planInSteps({ ...this.#inputFrom(start), fromMs, toMs }))
  }

  /** Plans `span`, which follows the programmes before `stateSeq`. */
  async #replan(
    db: Store,
    stateSeq: number,
    { seq, startsAtMs, untilMs }: Pick<PlanAfter, 'seq' | 'startsAtMs' | 'untilMs'>,
    mode: ReplanMode,
  ): Promise<Plan> {
    const known = await this.startAt(db, stateSeq, startsAtMs)
    const continues = continuesCycle(mode)
    const start = continues ? known : { ...known, state: null }
    const programmes = await this.#plan(seq, startsAtMs, untilMs, start)
    if (continues && known.isKnown) return { programmes, save: async () => undefined }
    return { programmes, save: (trx) => saveState(trx, this.#channel.id, { seq, startsAtMs, state: null }) }
  }

  async #plan(
    seq: number,
    startsAtMs: number,
    untilMs: number,
    start: PlanStart,
  ): Promise<PlannedProgramme[]> {
    const { programmes } = await this.planSpan(start, startsAtMs, untilMs)
    return programmes.map((programme, index) => this.#toPlanned(programme, seq + index))
  }

  #toPlanned(programme: ScheduledProgramme, seq: number): PlannedProgramme {
    const { kind, ident, itemId, videoId, startsAtMs, endsAtMs, cut, reason } = programme
    const { library, version } = this.#material
    const videoVersion = videoId === null ? 0 : (library.versions.get(videoId) ?? 0)
    const stored: StoredReason = { ...reason, version, ident, cut }
    const times = { startsAtMs, endsAtMs, offsetMs: 0 }
    return { seq, kind, cycleSeq: seq, itemId, videoId, videoVersion, ...times, reason: stored }
  }

  #inputFrom({ state, history }: PlanStart): Omit<PlanInput, 'fromMs' | 'toMs'> {
    const { document, library, playlists } = this.#material
    return { document, library: library.videos, playlists, history, seed: this.seed, state }
  }
}

const airingOf = ({ videoId, startsAtMs, endsAtMs }: ProgrammeRow): Airing[] =>
  videoId === null ? [] : [{ videoId, startsAtMs, endsAtMs }]

/** The rest of a video that a takeover interrupted has been taken from its source before. */
const toReplayed = (row: ProgrammeRow): ReplayedProgramme => ({
  itemId: row.itemId,
  videoId: row.videoId,
  startsAtMs: row.startsAtMs,
  endsAtMs: row.endsAtMs,
  reason: {
    slot: row.reason?.slot ?? null,
    source: row.reason?.isResumed ? null : (row.reason?.source ?? null),
  },
})
