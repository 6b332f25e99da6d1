import { createHash } from 'node:crypto'
import type { ChannelRow, Store, Trx } from '../db/schema.ts'
import { cycleAfter, cycleAtEnd, saveCycle } from './cycles.ts'
import { findArtistOf } from './loop-repository.ts'
import { type Loop, type LoopItem, type LoopPlan, planLoop } from './plan-loop.ts'
import type { Plan, PlanAfter, Programming, ReplanMode } from './programming.ts'
import { MAX_PLANNED } from './rules.ts'
import { saveCyclePosition } from './timeline-repository.ts'

/** A channel that repeats its playlist. */
export class LoopProgramming implements Programming {
  readonly #channel: ChannelRow
  readonly #loop: Loop

  constructor(channel: ChannelRow, items: readonly LoopItem[], mode: ReplanMode) {
    this.#channel = channel
    this.#loop = { items, shuffle: channel.shuffleEnabled, seed: seedFor(channel, mode) }
  }

  countVideos(): number {
    return this.#loop.items.length
  }

  problemsAt(): [] {
    return []
  }

  get seed(): string {
    return this.#loop.seed
  }

  async planAfter(
    db: Store,
    { fixed, current, seq, startsAtMs, untilMs }: PlanAfter,
    mode: ReplanMode,
  ): Promise<Plan> {
    const artist = await findArtistOf(db, fixed.videoId)
    const cycle = continuesCycle(mode)
      ? await cycleAfter(db, this.#channel, this.#loop, fixed, current, artist)
      : null
    const start = { seq, startsAtMs, previousArtist: artist, cycle }
    return this.#toPlan(planLoop(this.#loop, start, untilMs, MAX_PLANNED))
  }

  async planFrom(db: Store, startsAtMs: number, untilMs: number, mode: ReplanMode): Promise<Plan> {
    const cycle = continuesCycle(mode) ? (await cycleAtEnd(db, this.#channel, this.#loop)).cycle : null
    const start = { seq: this.#channel.nextSeq, startsAtMs, previousArtist: null, cycle }
    return this.#toPlan(planLoop(this.#loop, start, untilMs, MAX_PLANNED))
  }

  async planExtension(db: Store, untilMs: number): Promise<Plan> {
    const { id, nextSeq, endsAtMs } = this.#channel
    const { cycle, previousArtist, plannedCount } = await cycleAtEnd(db, this.#channel, this.#loop)
    const start = { seq: nextSeq, startsAtMs: endsAtMs ?? 0, previousArtist, cycle }
    const plan = planLoop(this.#loop, start, untilMs, MAX_PLANNED)
    const isSameCycle = plan.cycle !== null && plan.cycle.cycleSeq === cycle?.cycleSeq
    if (isSameCycle && plannedCount !== null) {
      const nextIndex = plannedCount + (plan.cycle?.nextIndex ?? 0)
      return this.#toPlan(plan, (trx) => saveCyclePosition(trx, id, nextIndex))
    }
    return this.#loop.shuffle ? this.#toPlan(plan) : this.#toPlan(plan, async () => undefined)
  }

  /** Nothing to store: the cycle at the end of the timeline is stored with every plan. */
  async saveProgress(): Promise<void> {}

  #toPlan(
    plan: LoopPlan,
    save: Plan['save'] = (trx: Trx) => saveCycle(trx, this.#channel.id, this.#loop, plan),
  ): Plan {
    const programmes = plan.programmes.map((programme) => ({
      ...programme,
      kind: 'video' as const,
      offsetMs: 0,
      reason: null,
    }))
    return { programmes, save }
  }
}

/** Whether a future that is planned again in this mode continues the current cycle. */
export const continuesCycle = (mode: ReplanMode): boolean => mode === 'edit' || mode === 'takeover'

/**
 * `edit` and `takeover` keep the seed, the other modes derive the next one. It depends only on the seed and the loop's version, so a
 * simulation shows the future that follows.
 */
export function seedFor({ seed, loopVersion }: ChannelRow, mode: ReplanMode): string {
  if (continuesCycle(mode)) return seed
  return createHash('sha256').update(`${seed}:${loopVersion}`).digest('hex').slice(0, 32)
}
