import { createHash } from 'node:crypto'
import type { ChannelRow, ProgrammeRow, Store } from '../db/schema.ts'
import { cycleAfter, cycleAtEnd } from './cycles.ts'
import { findOnAirVideo } from './loop-repository.ts'
import { type Loop, type LoopItem, type Plan, planTimeline } from './plan-timeline.ts'
import { EXTEND_TO_MS, GUARD_MS, MAX_PLANNED } from './rules.ts'
import { lastFixed, programmesFrom } from './timeline-repository.ts'

/**
 * How a future is planned again: `edit` continues the current cycle; `restart` starts a new cycle with the next
 * programme; `reset` starts one at once and cuts the programme on the air.
 */
export type ReplanMode = 'edit' | 'restart' | 'reset'

/** A future that follows the programme on the air. */
export interface FutureAfter {
  /** The last programme that is kept: it is on the air, or starts so soon that players have loaded it. */
  fixed: ProgrammeRow
  /** The artist of the fixed programme, and the current version of its video. */
  onAir: { artist: string; version: number }
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

/** The loop of a channel that is planned again. `edit` keeps the seed, the other modes derive the next one. */
export function loopOf(channel: ChannelRow, items: readonly LoopItem[], mode: ReplanMode): Loop {
  const seed = mode === 'edit' ? channel.seed : nextSeed(channel)
  return { items, shuffle: channel.shuffleEnabled, seed }
}

/** The next seed. It depends only on the seed and the loop's version, so a simulation shows the future that follows. */
function nextSeed({ seed, loopVersion }: Pick<ChannelRow, 'seed' | 'loopVersion'>): string {
  return createHash('sha256').update(`${seed}:${loopVersion}`).digest('hex').slice(0, 32)
}

/**
 * Plans a channel's future and writes nothing: the timeline writer stores it, a simulation shows it. Programmes that
 * are on the air or start within {@link GUARD_MS} are kept; `reset` cuts them.
 */
export async function planFuture(
  db: Store,
  channel: ChannelRow,
  loop: Loop,
  nowMs: number,
  mode: ReplanMode,
): Promise<FutureAfter | FutureFromNow> {
  const fixed = await lastFixed(db, channel, mode === 'reset' ? nowMs : nowMs + GUARD_MS)
  if (fixed === undefined || fixed.endsAtMs <= nowMs) {
    const cycle = mode === 'edit' ? (await cycleAtEnd(db, channel, loop)).cycle : null
    const start = { seq: channel.nextSeq, startsAtMs: nowMs, previousArtist: null, cycle }
    return { fixed: null, plan: planTimeline(loop, start, nowMs + EXTEND_TO_MS, MAX_PLANNED) }
  }
  const current = await programmesFrom(db, channel.id, fixed.seq + 1)
  const onAir = await findOnAirVideo(db, fixed.videoId)
  const cycle = mode === 'edit' ? await cycleAfter(db, channel, loop, fixed, current, onAir.artist) : null
  const cutMs = mode === 'reset' ? Math.max(nowMs + GUARD_MS, fixed.startsAtMs + 1) : fixed.endsAtMs
  const startsAtMs = Math.min(cutMs, fixed.endsAtMs)
  const plan = planTimeline(
    loop,
    { seq: fixed.seq + 1, startsAtMs, previousArtist: onAir.artist, cycle },
    Math.max(nowMs + EXTEND_TO_MS, channel.endsAtMs ?? 0),
    MAX_PLANNED,
  )
  return { fixed, onAir, current, startsAtMs, plan }
}
