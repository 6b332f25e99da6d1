import type { ScheduleProblem } from '@looptide/contracts/schedule'
import type { Airing } from '@looptide/planner/library'
import type {
  ChannelRow,
  ProgrammeRow,
  Store,
  StoredReason,
  TakeoverItem,
  TakeoverRow,
  Trx,
} from '../db/schema.ts'
import type { Plan, PlanAfter, PlannedProgramme, Programming, ReplanMode } from '../timeline/programming.ts'
import { MAX_PLANNED, MIN_PROGRAMME_MS } from '../timeline/rules.ts'
import { lastItem } from '../timeline/timeline-repository.ts'
import { readAired, type TakeoverVideo } from './takeover-repository.ts'

/**
 * A channel with a live takeover: its videos until its end, then what the channel's own programming plans. A takeover
 * that has been stopped plans only what follows it.
 */
export class TakeoverProgramming implements Programming {
  readonly #channel: ChannelRow
  readonly #takeover: TakeoverRow
  readonly #videos: ReadonlyMap<string, TakeoverVideo>
  readonly #base: Programming

  constructor(
    channel: ChannelRow,
    takeover: TakeoverRow,
    videos: ReadonlyMap<string, TakeoverVideo>,
    base: Programming,
  ) {
    this.#channel = channel
    this.#takeover = takeover
    this.#videos = videos
    this.#base = base
  }

  countVideos(nowMs: number): number {
    return this.#base.countVideos(nowMs)
  }

  get seed(): string {
    return this.#base.seed
  }

  get checksum(): string | null {
    return this.#base.checksum
  }

  get freezeMs(): number {
    return this.#base.freezeMs
  }

  problemsAt(nowMs: number): ScheduleProblem[] {
    return this.#base.problemsAt(nowMs)
  }

  async planAfter(db: Store, after: PlanAfter, mode: ReplanMode): Promise<Plan> {
    const programmes = this.#content(after.fixed.itemId, after, Math.min(this.#endsAtMs, after.untilMs))
    const returnsAtMs = programmes.at(-1)?.endsAtMs ?? after.startsAtMs
    if (returnsAtMs >= after.untilMs) return { programmes, save: async () => undefined }
    const seq = after.seq + programmes.length
    const rest = await this.#returnTo(db, { ...after, seq, startsAtMs: returnsAtMs }, mode, programmes)
    return { ...rest, programmes: [...programmes, ...rest.programmes] }
  }

  /** The channel has been off the air: the takeover is over. */
  planFrom(db: Store, startsAtMs: number, untilMs: number, mode: ReplanMode): Promise<Plan> {
    return this.#base.planFrom(db, startsAtMs, untilMs, mode)
  }

  /** Further programmes of the takeover until `untilMs`; with a planned end, those of the interrupted programming instead. */
  async planExtension(db: Store, untilMs: number): Promise<Plan> {
    if (this.#endsAtMs < Number.POSITIVE_INFINITY) {
      // The stored state stays before the interrupted programme's successor, to which a stop returns.
      const plan = await this.#base.planExtension(db, untilMs)
      return { ...plan, save: async () => undefined }
    }
    const { nextSeq, endsAtMs } = this.#channel
    const last = await lastItem(db, this.#channel)
    const start = { seq: nextSeq, startsAtMs: endsAtMs ?? 0 }
    return { programmes: this.#content(last?.itemId ?? null, start, untilMs), save: async () => undefined }
  }

  saveProgress(trx: Trx, programme: ProgrammeRow): Promise<void> {
    return this.#base.saveProgress(trx, programme)
  }

  get #endsAtMs(): number {
    const { isStopped, endsAtMs } = this.#takeover
    return isStopped ? Number.NEGATIVE_INFINITY : (endsAtMs ?? Number.POSITIVE_INFINITY)
  }

  /** The takeover's programmes from `startsAtMs` to `untilMs`, after the one with the item `previousId`. */
  #content(
    previousId: string | null,
    start: Pick<PlanAfter, 'seq' | 'startsAtMs'>,
    untilMs: number,
  ): PlannedProgramme[] {
    const items = this.#takeover.items.filter(({ videoId }) => this.#videos.has(videoId))
    const programmes: PlannedProgramme[] = []
    let index = items.findIndex(({ itemId }) => itemId === previousId) + 1
    let { startsAtMs, seq } = start
    while (startsAtMs < untilMs && programmes.length < MAX_PLANNED) {
      const item = items[index % items.length]
      if (item === undefined) break
      const programme = this.#programme(item, seq, startsAtMs, untilMs)
      programmes.push(programme)
      startsAtMs = programme.endsAtMs
      index += 1
      seq += 1
    }
    return programmes
  }

  #programme(
    { itemId, videoId }: TakeoverItem,
    seq: number,
    startsAtMs: number,
    untilMs: number,
  ): PlannedProgramme {
    const { isLive, title } = this.#takeover
    const { version = 0, playedMs = 0 } = this.#videos.get(videoId) ?? {}
    const lengthMs = isLive ? Number.POSITIVE_INFINITY : Math.max(playedMs, MIN_PROGRAMME_MS)
    const endsAtMs = Math.min(startsAtMs + lengthMs, untilMs)
    return {
      seq,
      kind: 'video',
      cycleSeq: seq,
      itemId,
      videoId,
      videoVersion: version,
      startsAtMs,
      endsAtMs,
      offsetMs: 0,
      reason: { ...NO_REASON, cut: !isLive && endsAtMs < startsAtMs + lengthMs, takeover: { title, isLive } },
    }
  }

  /** Returns to the channel's own programming after `content`, the takeover's programmes of this plan. */
  async #returnTo(
    db: Store,
    after: PlanAfter,
    mode: ReplanMode,
    content: readonly PlannedProgramme[],
  ): Promise<Plan> {
    const { returnPolicy, interrupted } = this.#takeover
    const { programme, planned } = interrupted
    if (isOwn(after.fixed, programme)) return this.#base.planAfter(db, after, mode)
    const resumed = { ...after, fixed: programme, current: planned }
    if (returnPolicy === 'join') return this.#join(db, resumed, programme)
    const between = [...(await this.#airedAfter(db, programme, after)), ...content]
    return this.#continue(db, { ...resumed, between }, programme)
  }

  /** What the takeover has put on the air after the programme that it has interrupted. */
  async #airedAfter(db: Store, { seq }: ProgrammeRow, { fixed, startsAtMs }: PlanAfter): Promise<Airing[]> {
    const logged = await readAired(db, this.#channel.id, this.#takeover.startsAtMs, startsAtMs)
    // The last one may be about to start.
    const isLogged = fixed.seq === seq || logged.at(-1)?.startsAtMs === fixed.startsAtMs
    const aired = isLogged ? logged : [...logged, fixed]
    return aired.map((airing) => ({ ...airing, endsAtMs: Math.min(airing.endsAtMs, startsAtMs) }))
  }

  /** Plans what would be on the air without the takeover, from `startsAtMs` on. */
  async #join(db: Store, after: PlanAfter, interrupted: ProgrammeRow): Promise<Plan> {
    const { seq, startsAtMs } = after
    const untilMs = Math.max(after.untilMs, interrupted.endsAtMs + 1)
    const planned = await this.#planFollowing(db, { ...after, startsAtMs: interrupted.endsAtMs, untilMs })
    const all = [toResumed(interrupted), ...planned.programmes]
    const remaining = all.filter(({ endsAtMs }) => endsAtMs > startsAtMs)
    const joined = renumbered(remaining, seq).map((programme): PlannedProgramme => {
      const elapsedMs = Math.max(0, startsAtMs - programme.startsAtMs)
      return {
        ...programme,
        startsAtMs: programme.startsAtMs + elapsedMs,
        offsetMs: programme.kind === 'video' ? programme.offsetMs + elapsedMs : 0,
        // A request that is not aired as a whole is not charged: it waits again.
        reason: programme.reason && (elapsedMs > 0 ? withoutRequest(programme.reason) : programme.reason),
      }
    })
    return { ...planned, programmes: joined }
  }

  /** Plans the rest of the interrupted video, then what follows it. */
  async #continue(db: Store, after: PlanAfter, interrupted: ProgrammeRow): Promise<Plan> {
    const playedMs = this.#takeover.startsAtMs - interrupted.startsAtMs
    const restMs = interrupted.endsAtMs - interrupted.startsAtMs - playedMs
    const hasRest = interrupted.kind === 'video' && restMs >= MIN_PROGRAMME_MS
    const rest: PlannedProgramme = {
      ...toResumed(interrupted),
      startsAtMs: after.startsAtMs,
      endsAtMs: after.startsAtMs + restMs,
      offsetMs: interrupted.offsetMs + playedMs,
    }
    const startsAtMs = hasRest ? rest.endsAtMs : after.startsAtMs
    const between = hasRest ? [...(after.between ?? []), rest] : (after.between ?? [])
    const plan = await this.#planFollowing(db, { ...after, between, startsAtMs })
    const programmes = hasRest ? [rest, ...plan.programmes] : plan.programmes
    return { ...plan, programmes: renumbered(programmes, after.seq) }
  }

  /** Plans what follows the interrupted programme, with the sequence numbers it would have had: shuffles depend on them. */
  #planFollowing(db: Store, after: PlanAfter): Promise<Plan> {
    return this.#base.planAfter(db, { ...after, seq: after.fixed.seq + 1 }, 'takeover')
  }
}

/** Consecutive programmes with numbers from `seq`. Cycles that begin among them are renumbered, too. */
function renumbered(programmes: readonly PlannedProgramme[], seq: number): PlannedProgramme[] {
  const firstSeq = programmes[0]?.seq ?? seq
  const shift = seq - firstSeq
  return programmes.map((programme) => ({
    ...programme,
    seq: programme.seq + shift,
    cycleSeq: programme.cycleSeq < firstSeq ? programme.cycleSeq : programme.cycleSeq + shift,
  }))
}

/** Whether a programme after the interrupted one belongs to the channel's own programming. */
const isOwn = (row: ProgrammeRow, interrupted: ProgrammeRow): boolean =>
  row.seq > interrupted.seq && row.reason?.takeover === undefined

const NO_REASON: StoredReason = {
  version: 0,
  blockId: null,
  specialId: null,
  slot: null,
  source: null,
  number: null,
  count: null,
  relaxed: [],
  ident: null,
  cut: false,
}

/** The interrupted programme, as one that is planned once more. A request has been charged at its start, so the rest is none. */
function toResumed(row: ProgrammeRow): PlannedProgramme {
  const { seq, kind, roundSeq, itemId, videoId, videoVersion, startsAtMs, endsAtMs, offsetMs, reason } = row
  return {
    seq,
    kind,
    cycleSeq: roundSeq,
    itemId,
    videoId,
    videoVersion,
    startsAtMs,
    endsAtMs,
    offsetMs,
    reason: reason && { ...withoutRequest(reason), isResumed: true },
  }
}

function withoutRequest({ request: _request, ...reason }: StoredReason): StoredReason {
  return reason
}
