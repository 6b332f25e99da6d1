import { createHash } from 'node:crypto'
import type { ChannelRow, ProgrammeRow, Store } from '../db/schema.ts'
import { onAirVideo } from './loop-repository.ts'
import { type Loop, type LoopItem, type Plan, planTimeline } from './plan-timeline.ts'
import { roundAfter, roundAtEnd } from './rounds.ts'
import { EXTEND_TO_MS, GUARD_MS, MAX_PLANNED } from './rules.ts'
import { lastFixed, programmesFrom } from './timeline-repository.ts'

/**
 * How the future is planned anew: `edit` goes on in the running round; `restart` begins a new round with the next
 * programme; `reset` does so at once and cuts what is on.
 */
export type Replan = 'edit' | 'restart' | 'reset'

/** A future that goes on after what is on the air. */
export interface FutureAfter {
  /** What stays: it is on the air, or so soon that players have it. */
  fixed: ProgrammeRow
  /** The artist of the fixed programme, and how new its text is. */
  onAir: { artist: string; version: number }
  /** What was planned after it until now. */
  current: readonly ProgrammeRow[]
  /** When the first new programme begins (epoch ms). */
  startsAtMs: number
  plan: Plan
}

/** A future of a channel that starts, or whose timeline has run out: there is nothing to go on from. */
export interface FutureFromNow {
  fixed: null
  plan: Plan
}

/** What a channel plays when it is planned anew: `edit` keeps the seed, the others follow it with the next. */
export function loopOf(channel: ChannelRow, items: readonly LoopItem[], how: Replan): Loop {
  const seed = how === 'edit' ? channel.seed : nextSeed(channel)
  return { items, shuffle: channel.shuffleEnabled, seed }
}

/** Another seed for each version of the loop, always the same for one: what a simulation shows is what will be. */
function nextSeed({ seed, loopVersion }: Pick<ChannelRow, 'seed' | 'loopVersion'>): string {
  return createHash('sha256').update(`${seed}:${loopVersion}`).digest('hex').slice(0, 32)
}

/**
 * Plans a channel's future anew and writes nothing: the timeline's writer writes it, a simulation shows it. What is
 * on the air, or begins within {@link GUARD_MS}, stays (a reset cuts it).
 */
export async function planFuture(
  db: Store,
  channel: ChannelRow,
  loop: Loop,
  nowMs: number,
  how: Replan,
): Promise<FutureAfter | FutureFromNow> {
  const fixed = await lastFixed(db, channel, how === 'reset' ? nowMs : nowMs + GUARD_MS)
  if (fixed === undefined || fixed.endsAtMs <= nowMs) {
    const round = how === 'edit' ? (await roundAtEnd(db, channel, loop)).round : null
    const start = { seq: channel.nextSeq, startsAtMs: nowMs, previousArtist: null, round }
    return { fixed: null, plan: planTimeline(loop, start, nowMs + EXTEND_TO_MS, MAX_PLANNED) }
  }
  const current = await programmesFrom(db, channel.id, fixed.seq + 1)
  const onAir = await onAirVideo(db, fixed.videoId)
  const round = how === 'edit' ? await roundAfter(db, channel, loop, fixed, current, onAir.artist) : null
  const cutMs = how === 'reset' ? Math.max(nowMs + GUARD_MS, fixed.startsAtMs + 1) : fixed.endsAtMs
  const startsAtMs = Math.min(cutMs, fixed.endsAtMs)
  const plan = planTimeline(
    loop,
    { seq: fixed.seq + 1, startsAtMs, previousArtist: onAir.artist, round },
    Math.max(nowMs + EXTEND_TO_MS, channel.endsAtMs ?? 0),
    MAX_PLANNED,
  )
  return { fixed, onAir, current, startsAtMs, plan }
}
