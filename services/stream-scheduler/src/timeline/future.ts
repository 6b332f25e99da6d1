import type { ChannelRow, ProgrammeRow, Store } from '../db/schema.ts'
import { firstDifference, type Plan, type Programming, type ReplanMode } from './programming.ts'
import { EXTEND_TO_MS, GUARD_MS } from './rules.ts'
import { findVideoVersion, lastFixed, programmesFrom } from './timeline-repository.ts'

/** A future that follows the programme on the air. */
export interface FutureAfter {
  /** The last programme that is kept: it is on the air, or starts so soon that it must not change. */
  fixed: ProgrammeRow
  /** The current version of its video. */
  videoVersion: number
  /** The programmes planned after it so far. */
  current: readonly ProgrammeRow[]
  /** Start of the first new programme (epoch ms). */
  startsAtMs: number
  plan: Plan
}

/** The future of a channel without a current programme: it is being started, or its timeline has run out. */
export interface FutureFromNow {
  fixed: null
  plan: Plan
}

/**
 * Plans a channel's future and writes nothing: the timeline writer stores it, a simulation shows it. Programmes that
 * are on the air or start within `keepMs` are kept; `reset` and `takeover` cut them short.
 */
export async function planFuture(
  db: Store,
  channel: ChannelRow,
  programming: Programming,
  nowMs: number,
  mode: ReplanMode,
  keepMs = GUARD_MS,
): Promise<FutureAfter | FutureFromNow> {
  const endsEarly = mode === 'reset' || mode === 'takeover'
  const fixed = await lastFixed(db, channel, endsEarly ? nowMs : nowMs + keepMs)
  if (fixed === undefined || fixed.endsAtMs <= nowMs) {
    return { fixed: null, plan: await programming.planFrom(db, nowMs, nowMs + EXTEND_TO_MS, mode) }
  }
  const current = await programmesFrom(db, channel.id, fixed.seq + 1)
  const earlyEndMs = Math.max(nowMs + GUARD_MS, fixed.startsAtMs + 1)
  const startsAtMs = endsEarly ? Math.min(earlyEndMs, fixed.endsAtMs) : fixed.endsAtMs
  const untilMs = Math.max(nowMs + EXTEND_TO_MS, channel.endsAtMs ?? 0)
  const plan = await programming.planAfter(
    db,
    { fixed, current, seq: fixed.seq + 1, startsAtMs, untilMs },
    mode,
  )
  return { fixed, videoVersion: await findVideoVersion(db, fixed.videoId), current, startsAtMs, plan }
}

/** The change that a future makes in the timeline. */
export interface FutureChange {
  /** Start of the first programme that is replaced or removed (epoch ms); null if none is. */
  fromMs: number | null
  /** Number of programmes that are replaced or removed. */
  count: number
}

/** The change that writing a future makes. New programmes at the end are an extension, not a change. */
export function changeOf(future: FutureAfter | FutureFromNow): FutureChange {
  if (future.fixed === null) {
    const first = future.plan.programmes[0]
    return { fromMs: first?.startsAtMs ?? null, count: future.plan.programmes.length }
  }
  const { current, plan } = future
  const index = firstDifference(current, plan.programmes) ?? current.length
  return { fromMs: current[index]?.startsAtMs ?? null, count: current.length - index }
}
