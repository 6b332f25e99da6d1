import { appendEvent, appendEvents, type Cause } from '@looptide/service-kit/outbox'
import type { ChannelRow, Trx } from '../db/schema.ts'
import { cutEntry, enterStarted, MOST_LOGGED } from './air-log-repository.ts'
import { recordChange } from './change-repository.ts'
import { type FutureAfter, loopOf, planFuture, type Replan } from './future.ts'
import { type LoopCache, loadItems } from './loop-repository.ts'
import { firstDifference, type Loop, type Plan, planTimeline } from './plan-timeline.ts'
import { programmeId } from './programme-id.ts'
import { roundAtEnd, saveRound } from './rounds.ts'
import { EXTEND_BELOW_MS, EXTEND_TO_MS, KEEP_PAST_MS, MAX_PLANNED } from './rules.ts'
import { markFallbackStale } from './stale-repository.ts'
import * as timeline from './timeline-repository.ts'

/**
 * All that changes a timeline. Each function runs in the caller's transaction and takes the channel's row as
 * {@link timeline.lockChannel} gave it: the state it plans from is the state it replaces, and two writers of one
 * channel wait for each other. A writer that was stopped in between finds its transaction ended by Postgres.
 */
export class TimelineWriter {
  readonly #cache: LoopCache

  constructor(cache: LoopCache) {
    this.#cache = cache
  }

  /** These videos joined or left a channel's playlist: the default channel may play long ones now, or no longer. */
  async playlistChanged(trx: Trx, videoIds: readonly string[]): Promise<void> {
    await markFallbackStale(trx, videoIds, this.#cache.fallbackMaxMs)
  }

  /** Enters what has begun into the air log and tells of it: each programme once, however late. */
  async logStarted(trx: Trx, channelIds: readonly string[], nowMs: number): Promise<number> {
    let total = 0
    for (;;) {
      const started = await enterStarted(trx, channelIds, nowMs)
      const events = started.map((programme) => ({
        type: 'stream.programme.started.v1' as const,
        aggregateId: programme.channelId,
        data: {
          channelId: programme.channelId,
          programmeId: programmeId(programme),
          seq: programme.seq,
          videoId: programme.videoId,
          startsAtMs: programme.startsAtMs,
          endsAtMs: programme.endsAtMs,
        },
      }))
      await appendEvents(trx, events)
      total += started.length
      if (started.length < MOST_LOGGED) return total
    }
  }

  /** Keeps the timeline long enough, and forgets what is long over. Answers whether anything was added. */
  async extend(trx: Trx, channel: ChannelRow, nowMs: number): Promise<boolean> {
    if (channel.status === 'idle') return false
    if (channel.endsAtMs === null || channel.endsAtMs <= nowMs) {
      return (await this.replan(trx, channel, nowMs, 'edit')) > 0
    }
    if (channel.endsAtMs >= nowMs + EXTEND_BELOW_MS) return false
    const items = await this.#cache.items(trx, channel)
    const loop = { items, shuffle: channel.shuffleEnabled, seed: channel.seed }
    const { round, previousArtist, laidOut } = await roundAtEnd(trx, channel, loop)
    const plan = planTimeline(
      loop,
      { seq: channel.nextSeq, startsAtMs: channel.endsAtMs, previousArtist, round },
      nowMs + EXTEND_TO_MS,
      MAX_PLANNED,
    )
    if (plan.programmes.length === 0) return false
    await timeline.insertProgrammes(trx, channel.id, channel.timelineVersion, 'follows', plan.programmes)
    const sameRound = plan.round !== null && plan.round.roundSeq === round?.roundSeq
    if (sameRound && laidOut !== null) {
      await timeline.savePlace(trx, channel.id, laidOut + (plan.round?.nextPlace ?? 0))
    } else if (loop.shuffle) {
      await saveRound(trx, channel.id, loop, plan)
    }
    await timeline.updateChannel(trx, channel.id, end(plan, channel.nextSeq, channel.endsAtMs))
    await timeline.prunePast(trx, channel, nowMs - KEEP_PAST_MS)
    await this.#extended(trx, channel, plan)
    return true
  }

  /**
   * Plans the future anew from what the channel plays now, and writes what differs. What is on the air, or begins
   * within {@link planFuture}'s guard, stays (a reset cuts it). A future that comes out the same is left alone, and nobody
   * is told. Answers how many videos the channel plays.
   */
  async replan(
    trx: Trx,
    channel: ChannelRow,
    nowMs: number,
    how: Replan,
    cause: Cause = {},
  ): Promise<number> {
    this.#cache.forget(channel.id)
    const items = await loadItems(trx, channel, this.#cache.fallbackMaxMs)
    const loop = loopOf(channel, items, how)
    const future = await planFuture(trx, channel, loop, nowMs, how)
    const change = { how, cause }
    if (future.fixed === null) await this.#begin(trx, channel, loop, future.plan, nowMs, change)
    else await this.#replaceAfter(trx, channel, loop, future, change)
    return items.length
  }

  /** Off the air: what is on ends now, and the channel has no programmes. */
  async clear(trx: Trx, channel: ChannelRow, nowMs: number, cause: Cause): Promise<void> {
    await this.logStarted(trx, [channel.id], nowMs)
    const fixed = await timeline.lastFixed(trx, channel, nowMs)
    await cutEntry(trx, channel.id, nowMs)
    await timeline.deleteProgrammesFrom(trx, channel.id, 1)
    await timeline.updateChannel(trx, channel.id, { endsAtMs: null })
    await this.#changed(trx, channel, (fixed?.seq ?? channel.airedSeq) + 1, cause)
  }

  /** There is nothing to go on from: a channel that starts, or one whose timeline has run out. */
  async #begin(trx: Trx, channel: ChannelRow, loop: Loop, plan: Plan, nowMs: number, change: Change) {
    await this.logStarted(trx, [channel.id], nowMs)
    await timeline.deleteProgrammesFrom(trx, channel.id, 1)
    const version = channel.timelineVersion + 1
    await timeline.insertProgrammes(trx, channel.id, version, 'head', plan.programmes)
    await saveRound(trx, channel.id, loop, plan)
    await timeline.updateChannel(trx, channel.id, {
      ...end(plan, channel.nextSeq, null),
      seed: loop.seed,
      loopVersion: channel.loopVersion + 1,
    })
    if (plan.programmes.length > 0 || channel.endsAtMs !== null) {
      const { nextSeq } = end(plan, channel.nextSeq, null)
      await recordChange(trx, { ...madeBy(channel, change), nextSeq })
      await this.#changed(trx, channel, channel.nextSeq, change.cause)
    }
  }

  async #replaceAfter(
    trx: Trx,
    channel: ChannelRow,
    loop: Loop,
    { fixed, onAir, current, startsAtMs, plan }: FutureAfter,
    change: Change,
  ): Promise<void> {
    const version = channel.timelineVersion + 1
    const difference = firstDifference(current, plan.programmes) ?? current.length
    const otherFuture = difference < current.length
    const otherText = onAir.version !== fixed.videoVersion
    const cut = startsAtMs < fixed.endsAtMs
    if (otherFuture) await timeline.deleteProgrammesFrom(trx, channel.id, fixed.seq + 1 + difference)
    if (otherText || cut) {
      await timeline.changeProgramme(trx, fixed, {
        endsAtMs: startsAtMs,
        videoVersion: onAir.version,
        version,
      })
      if (cut) await cutEntry(trx, channel.id, startsAtMs)
    }
    const changed = otherFuture || otherText || cut
    await timeline.insertProgrammes(
      trx,
      channel.id,
      changed ? version : channel.timelineVersion,
      'follows',
      plan.programmes.slice(difference),
    )
    await saveRound(trx, channel.id, loop, plan)
    await timeline.updateChannel(trx, channel.id, {
      ...end(plan, fixed.seq + 1, startsAtMs),
      seed: loop.seed,
      loopVersion: channel.loopVersion + 1,
    })
    if (changed) {
      const { nextSeq } = end(plan, fixed.seq + 1, startsAtMs)
      await recordChange(trx, { ...madeBy(channel, change), nextSeq })
      const fromSeq = otherText || cut ? fixed.seq : fixed.seq + 1 + difference
      await this.#changed(trx, channel, fromSeq, change.cause)
    } else if (plan.programmes.length > current.length) await this.#extended(trx, channel, plan)
  }

  async #changed(trx: Trx, channel: ChannelRow, fromSeq: number, cause: Cause): Promise<void> {
    const timelineVersion = channel.timelineVersion + 1
    await timeline.updateChannel(trx, channel.id, { timelineVersion })
    const data = { channelId: channel.id, timelineVersion, fromSeq }
    await appendEvent(trx, 'stream.timeline.changed.v1', channel.id, data, cause)
  }

  async #extended(trx: Trx, channel: ChannelRow, plan: Plan): Promise<void> {
    const { id: channelId, timelineVersion } = channel
    const endsAtMs = plan.programmes.at(-1)?.endsAtMs
    if (endsAtMs === undefined) return
    await appendEvent(trx, 'stream.timeline.extended.v1', channelId, { channelId, timelineVersion, endsAtMs })
  }
}

interface Change {
  how: Replan
  cause: Cause
}

/** What is remembered of a change that makes the timeline's next version. */
function madeBy({ id, timelineVersion }: ChannelRow, { how, cause }: Change) {
  return { channelId: id, version: timelineVersion + 1, kind: how, actorId: cause.actorId ?? null }
}

/** Where the timeline ends after a plan: the next free number and the instant (null: it has no programmes). */
function end(plan: Plan, firstSeq: number, startsAtMs: number | null) {
  const last = plan.programmes.at(-1)
  return {
    nextSeq: last === undefined ? firstSeq : last.seq + 1,
    endsAtMs: last === undefined ? startsAtMs : last.endsAtMs,
  }
}
