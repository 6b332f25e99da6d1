import { appendEvent, appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import type { ChannelRow, Trx } from '../db/schema.ts'
import { cutAirLogEntry, logStartedProgrammes, MAX_LOGGED } from './air-log-repository.ts'
import { recordChange } from './change-repository.ts'
import { cycleAtEnd, saveCycle } from './cycles.ts'
import { type FutureAfter, loopOf, planFuture, type ReplanMode } from './future.ts'
import { type LoopCache, loadItems } from './loop-repository.ts'
import { firstDifference, type Loop, type Plan, planTimeline } from './plan-timeline.ts'
import { programmeId } from './programme-id.ts'
import { EXTEND_BELOW_MS, EXTEND_TO_MS, KEEP_PAST_MS, MAX_PLANNED } from './rules.ts'
import { markFallbackStale } from './stale-repository.ts'
import * as timeline from './timeline-repository.ts'

/**
 * Every change of a timeline. Each method runs in the caller's transaction and takes the channel's row from
 * {@link timeline.lockChannel}, so it plans from the state that it replaces, and writers of one channel run one after
 * another. If a writer is suspended, Postgres ends its transaction.
 */
export class TimelineWriter {
  readonly #loopCache: LoopCache

  constructor(loopCache: LoopCache) {
    this.#loopCache = loopCache
  }

  /** Marks the default channel stale if one of these videos, added to or removed from a playlist, affects its fallback. */
  async playlistChanged(trx: Trx, videoIds: readonly string[]): Promise<void> {
    await markFallbackStale(trx, videoIds, this.#loopCache.fallbackMaxMs)
  }

  /** Enters started programmes into the air log and publishes each of them once, however late. */
  async logStarted(trx: Trx, channelIds: readonly string[], nowMs: number): Promise<number> {
    let total = 0
    for (;;) {
      const started = await logStartedProgrammes(trx, channelIds, nowMs)
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
      if (started.length < MAX_LOGGED) return total
    }
  }

  /** Extends the timeline and deletes programmes that ended long ago. Answers whether programmes were added. */
  async extend(trx: Trx, channel: ChannelRow, nowMs: number): Promise<boolean> {
    if (channel.status === 'idle') return false
    if (channel.endsAtMs === null || channel.endsAtMs <= nowMs) {
      return (await this.replan(trx, channel, nowMs, 'edit')) > 0
    }
    if (channel.endsAtMs >= nowMs + EXTEND_BELOW_MS) return false
    const items = await this.#loopCache.items(trx, channel)
    const loop = { items, shuffle: channel.shuffleEnabled, seed: channel.seed }
    const { cycle, previousArtist, plannedCount } = await cycleAtEnd(trx, channel, loop)
    const plan = planTimeline(
      loop,
      { seq: channel.nextSeq, startsAtMs: channel.endsAtMs, previousArtist, cycle },
      nowMs + EXTEND_TO_MS,
      MAX_PLANNED,
    )
    if (plan.programmes.length === 0) return false
    await timeline.insertProgrammes(trx, channel.id, channel.timelineVersion, 'follows', plan.programmes)
    const sameCycle = plan.cycle !== null && plan.cycle.cycleSeq === cycle?.cycleSeq
    if (sameCycle && plannedCount !== null) {
      await timeline.saveCyclePosition(trx, channel.id, plannedCount + (plan.cycle?.nextIndex ?? 0))
    } else if (loop.shuffle) {
      await saveCycle(trx, channel.id, loop, plan)
    }
    await timeline.updateChannel(trx, channel.id, endOf(plan, channel.nextSeq, channel.endsAtMs))
    await timeline.prunePast(trx, channel, nowMs - KEEP_PAST_MS)
    await this.#publishExtension(trx, channel, plan)
    return true
  }

  /**
   * Plans the future again from the channel's current loop, and writes the difference. Programmes that are on the air or
   * start within the guard interval of {@link planFuture} are kept; a reset cuts them. An unchanged future is neither
   * written nor published. Answers the number of videos in the loop.
   */
  async replan(
    trx: Trx,
    channel: ChannelRow,
    nowMs: number,
    mode: ReplanMode,
    cause: Cause = {},
  ): Promise<number> {
    this.#loopCache.invalidate(channel.id)
    const items = await loadItems(trx, channel, this.#loopCache.fallbackMaxMs)
    const loop = loopOf(channel, items, mode)
    const future = await planFuture(trx, channel, loop, nowMs, mode)
    const change = { mode, cause }
    if (future.fixed === null) await this.#startTimeline(trx, channel, loop, future.plan, nowMs, change)
    else await this.#replaceAfter(trx, channel, loop, future, change)
    return items.length
  }

  /** Takes a channel off the air: the current programme ends now, and all programmes are deleted. */
  async clear(trx: Trx, channel: ChannelRow, nowMs: number, cause: Cause): Promise<void> {
    await this.logStarted(trx, [channel.id], nowMs)
    const fixed = await timeline.lastFixed(trx, channel, nowMs)
    await cutAirLogEntry(trx, channel.id, nowMs)
    await timeline.deleteProgrammesFrom(trx, channel.id, 1)
    await timeline.updateChannel(trx, channel.id, { endsAtMs: null })
    await this.#publishChange(trx, channel, (fixed?.seq ?? channel.airedSeq) + 1, cause)
  }

  /** Writes the future of a channel that is being started, or whose timeline has run out. */
  async #startTimeline(trx: Trx, channel: ChannelRow, loop: Loop, plan: Plan, nowMs: number, change: Change) {
    await this.logStarted(trx, [channel.id], nowMs)
    await timeline.deleteProgrammesFrom(trx, channel.id, 1)
    const version = channel.timelineVersion + 1
    await timeline.insertProgrammes(trx, channel.id, version, 'head', plan.programmes)
    await saveCycle(trx, channel.id, loop, plan)
    await timeline.updateChannel(trx, channel.id, {
      ...endOf(plan, channel.nextSeq, null),
      seed: loop.seed,
      loopVersion: channel.loopVersion + 1,
    })
    if (plan.programmes.length > 0 || channel.endsAtMs !== null) {
      const { nextSeq } = endOf(plan, channel.nextSeq, null)
      await recordChange(trx, { ...changeRecord(channel, change), nextSeq })
      await this.#publishChange(trx, channel, channel.nextSeq, change.cause)
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
    const isFutureChanged = difference < current.length
    const isVideoChanged = onAir.version !== fixed.videoVersion
    const isCut = startsAtMs < fixed.endsAtMs
    if (isFutureChanged) await timeline.deleteProgrammesFrom(trx, channel.id, fixed.seq + 1 + difference)
    if (isVideoChanged || isCut) {
      await timeline.changeProgramme(trx, fixed, {
        endsAtMs: startsAtMs,
        videoVersion: onAir.version,
        version,
      })
      if (isCut) await cutAirLogEntry(trx, channel.id, startsAtMs)
    }
    const isChanged = isFutureChanged || isVideoChanged || isCut
    await timeline.insertProgrammes(
      trx,
      channel.id,
      isChanged ? version : channel.timelineVersion,
      'follows',
      plan.programmes.slice(difference),
    )
    await saveCycle(trx, channel.id, loop, plan)
    await timeline.updateChannel(trx, channel.id, {
      ...endOf(plan, fixed.seq + 1, startsAtMs),
      seed: loop.seed,
      loopVersion: channel.loopVersion + 1,
    })
    if (isChanged) {
      const { nextSeq } = endOf(plan, fixed.seq + 1, startsAtMs)
      await recordChange(trx, { ...changeRecord(channel, change), nextSeq })
      const fromSeq = isVideoChanged || isCut ? fixed.seq : fixed.seq + 1 + difference
      await this.#publishChange(trx, channel, fromSeq, change.cause)
    } else if (plan.programmes.length > current.length) await this.#publishExtension(trx, channel, plan)
  }

  async #publishChange(trx: Trx, channel: ChannelRow, fromSeq: number, cause: Cause): Promise<void> {
    const timelineVersion = channel.timelineVersion + 1
    await timeline.updateChannel(trx, channel.id, { timelineVersion })
    const data = { channelId: channel.id, timelineVersion, fromSeq }
    await appendEvent(trx, 'stream.timeline.changed.v1', channel.id, data, cause)
  }

  async #publishExtension(trx: Trx, channel: ChannelRow, plan: Plan): Promise<void> {
    const { id: channelId, timelineVersion } = channel
    const endsAtMs = plan.programmes.at(-1)?.endsAtMs
    if (endsAtMs === undefined) return
    await appendEvent(trx, 'stream.timeline.extended.v1', channelId, { channelId, timelineVersion, endsAtMs })
  }
}

interface Change {
  mode: ReplanMode
  cause: Cause
}

/** The record of a change that makes the timeline's next version. */
function changeRecord({ id, timelineVersion }: ChannelRow, { mode, cause }: Change) {
  return { channelId: id, version: timelineVersion + 1, kind: mode, actorId: cause.actorId ?? null }
}

/** The end of the timeline after a plan: the next sequence number, and the instant (null without programmes). */
function endOf(plan: Plan, firstSeq: number, startsAtMs: number | null) {
  const last = plan.programmes.at(-1)
  return {
    nextSeq: last === undefined ? firstSeq : last.seq + 1,
    endsAtMs: last === undefined ? startsAtMs : last.endsAtMs,
  }
}
