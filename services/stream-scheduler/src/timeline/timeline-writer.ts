import { appendEvent, appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { ChannelRow, Trx } from '../db/schema.ts'
import { publishPlan } from '../queues/planned-requests.ts'
import { endAirLogEntry, logStartedProgrammes, MAX_LOGGED } from './air-log-repository.ts'
import { recordChange } from './change-repository.ts'
import { changeOf, type FutureAfter, type FutureChange, type FutureFromNow, planFuture } from './future.ts'
import { programmeId } from './programme-id.ts'
import {
  changedRequests,
  firstDifference,
  type Plan,
  type Programming,
  type ProgrammingLoader,
  type ReplanMode,
} from './programming.ts'
import { EXTEND_BELOW_MS, EXTEND_TO_MS, GUARD_MS, KEEP_PAST_MS } from './rules.ts'
import { markFallbackStale } from './stale-repository.ts'
import * as timeline from './timeline-repository.ts'

/** Maximum number of problems of a schedule in one line of the log. */
const MAX_LOGGED_PROBLEMS = 5

/**
 * Every change of a timeline. Each method runs in the caller's transaction and takes the channel's row from
 * {@link timeline.lockChannel}, so it plans from the state that it replaces, and writers of one channel run one after
 * another. If a writer is suspended, Postgres ends its transaction.
 */
export class TimelineWriter {
  readonly #loader: ProgrammingLoader
  readonly #logger: Logger

  constructor(loader: ProgrammingLoader, logger: Logger) {
    this.#loader = loader
    this.#logger = logger
  }

  /** Marks the default channel stale if one of these videos, added to or removed from a playlist, affects its fallback. */
  async playlistChanged(trx: Trx, videoIds: readonly string[]): Promise<void> {
    await markFallbackStale(trx, videoIds, this.#loader.fallbackMaxMs)
  }

  /** Enters started programmes into the air log and publishes each of them once, even after a delay. */
  async logStarted(trx: Trx, channelIds: readonly string[], nowMs: number): Promise<number> {
    let total = 0
    for (;;) {
      const started = await logStartedProgrammes(trx, channelIds, nowMs)
      const entered = started.filter(({ isEntered }) => isEntered)
      const events = entered.map((programme) => ({
        type: 'stream.programme.started.v1' as const,
        aggregateId: programme.channelId,
        data: {
          channelId: programme.channelId,
          programmeId: programmeId(programme),
          seq: programme.seq,
          videoId: programme.videoId,
          startsAtMs: programme.startsAtMs,
          endsAtMs: programme.endsAtMs,
          channelName: programme.channelName,
          title: programme.title ?? '',
          artist: programme.artistName,
          ...(programme.request && { request: programme.request }),
        },
      }))
      await appendEvents(trx, events)
      total += entered.length
      if (started.length < MAX_LOGGED) return total
    }
  }

  /**
   * Extends the timeline and deletes programmes that ended long ago. A schedule whose library or playlists have changed
   * since it was planned is planned again after its freeze interval. Returns whether programmes were added.
   */
  async extend(trx: Trx, channel: ChannelRow, nowMs: number): Promise<boolean> {
    if (channel.status === 'idle') return false
    if (channel.endsAtMs === null || channel.endsAtMs <= nowMs) {
      return (await this.replan(trx, channel, nowMs, 'edit')).videosCount > 0
    }
    if (channel.endsAtMs >= nowMs + EXTEND_BELOW_MS) return false
    const programming = await this.#loader.cached(trx, channel)
    if (programming.checksum === channel.plannedChecksum) {
      return this.#append(trx, channel, programming, nowMs)
    }
    const { videosCount } = await this.replan(trx, channel, nowMs, 'edit', {}, 'frozen')
    const replanned = await timeline.lockChannel(trx, channel.id)
    if (replanned !== undefined) {
      await this.#append(trx, replanned, await this.#loader.cached(trx, replanned), nowMs)
    }
    return videosCount > 0
  }

  /** Appends programmes up to the required length, deletes ended ones, and moves the stored state towards the present. */
  async #append(trx: Trx, channel: ChannelRow, programming: Programming, nowMs: number): Promise<boolean> {
    const plan = await programming.planExtension(trx, nowMs + EXTEND_TO_MS)
    await this.#recordSchedule(trx, channel, programming, nowMs)
    await timeline.insertProgrammes(trx, channel.id, channel.timelineVersion, 'follows', plan.programmes)
    await plan.save(trx)
    await timeline.updateChannel(trx, channel.id, endOf(plan, channel.nextSeq, channel.endsAtMs))
    await timeline.prunePast(trx, channel, nowMs - KEEP_PAST_MS)
    await this.#publishExtension(trx, channel, plan)
    const { freezeMs } = programming
    await publishPlan(trx, channel.id, { nowMs, freezeMs, requests: plan.requests, isExtension: true })
    return plan.programmes.length > 0
  }

  /**
   * Plans the future again from the channel's current playlist or schedule, and writes the difference. Programmes that
   * are on the air or start within `keepMs` (`frozen`: its freeze interval) are kept; a reset cuts them short. An unchanged future is neither written nor
   * published.
   */
  async replan(
    trx: Trx,
    channel: ChannelRow,
    nowMs: number,
    mode: ReplanMode,
    cause: Cause = {},
    keepMs: number | 'frozen' = GUARD_MS,
  ): Promise<ReplanResult> {
    const programming = await this.#loader.current(trx, channel, mode)
    const { freezeMs } = programming
    const fixedMs = keepMs === 'frozen' ? freezeMs : keepMs
    const future = await planFuture(trx, channel, programming, nowMs, mode, fixedMs)
    const change = { mode, cause, seed: programming.seed }
    if (future.fixed === null) await this.#startTimeline(trx, channel, future.plan, nowMs, change)
    else await this.#replaceAfter(trx, channel, future, change)
    await this.#recordSchedule(trx, channel, programming, nowMs)
    await publishPlan(trx, channel.id, { nowMs, freezeMs, requests: future.plan.requests })
    return { videosCount: programming.countVideos(nowMs), change: changeOf(future), future }
  }

  /** Publishes a change without changed programmes, because data that clients show with them (names of blocks) has changed. */
  async announce(trx: Trx, channel: ChannelRow, cause: Cause): Promise<void> {
    await this.#publishChange(trx, channel, channel.airedSeq, cause)
  }

  /** Takes a channel off the air: the current programme ends now, and all programmes are deleted. */
  async clear(trx: Trx, channel: ChannelRow, nowMs: number, cause: Cause): Promise<void> {
    await this.logStarted(trx, [channel.id], nowMs)
    const fixed = await timeline.lastFixed(trx, channel, nowMs)
    await endAirLogEntry(trx, channel.id, nowMs)
    await timeline.deleteProgrammesFrom(trx, channel.id, 1)
    await timeline.updateChannel(trx, channel.id, { endsAtMs: null })
    await this.#publishChange(trx, channel, (fixed?.seq ?? channel.airedSeq) + 1, cause)
    await publishPlan(trx, channel.id, { nowMs, freezeMs: 0, requests: undefined })
  }

  /**
   * Stores from what the channel's schedule was planned and how many problems it has now, and logs a change of problems.
   * The planner plays other sources meanwhile.
   */
  async #recordSchedule(
    trx: Trx,
    { id: channelId, scheduleProblems: before, plannedChecksum }: ChannelRow,
    programming: Programming,
    nowMs: number,
  ): Promise<void> {
    const { checksum } = programming
    if (checksum !== plannedChecksum) {
      await timeline.updateChannel(trx, channelId, { plannedChecksum: checksum })
    }
    const problems = programming.problemsAt(nowMs)
    if (problems.length === before) return
    await timeline.updateChannel(trx, channelId, { scheduleProblems: problems.length })
    if (problems.length === 0) this.#logger.info({ channelId }, 'schedule problems solved')
    else
      this.#logger.warn(
        { channelId, problems: problems.slice(0, MAX_LOGGED_PROBLEMS) },
        'schedule has problems',
      )
  }

  /** Writes the future of a channel that is being started, or whose timeline has run out. */
  async #startTimeline(trx: Trx, channel: ChannelRow, plan: Plan, nowMs: number, change: Change) {
    await this.logStarted(trx, [channel.id], nowMs)
    await timeline.deleteProgrammesFrom(trx, channel.id, 1)
    const version = channel.timelineVersion + 1
    await timeline.insertProgrammes(trx, channel.id, version, 'head', plan.programmes)
    await plan.save(trx)
    await timeline.updateChannel(trx, channel.id, {
      ...endOf(plan, channel.nextSeq, null),
      seed: change.seed,
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
    { fixed, videoVersion, current, startsAtMs, plan }: FutureAfter,
    change: Change,
  ): Promise<void> {
    const version = channel.timelineVersion + 1
    const difference = firstDifference(current, plan.programmes) ?? current.length
    const isFutureChanged = difference < current.length
    const isVideoChanged = videoVersion !== fixed.videoVersion
    const endsEarly = startsAtMs < fixed.endsAtMs
    if (isFutureChanged) await timeline.deleteProgrammesFrom(trx, channel.id, fixed.seq + 1 + difference)
    if (isVideoChanged || endsEarly) {
      await timeline.changeProgramme(trx, fixed, {
        endsAtMs: startsAtMs,
        videoVersion,
        version,
      })
      if (endsEarly) await endAirLogEntry(trx, channel.id, startsAtMs)
    }
    await timeline.changeRequests(
      trx,
      channel.id,
      changedRequests(current, plan.programmes.slice(0, difference)),
    )
    const isChanged = isFutureChanged || isVideoChanged || endsEarly
    await timeline.insertProgrammes(
      trx,
      channel.id,
      isChanged ? version : channel.timelineVersion,
      'follows',
      plan.programmes.slice(difference),
    )
    await plan.save(trx)
    await timeline.updateChannel(trx, channel.id, {
      ...endOf(plan, fixed.seq + 1, startsAtMs),
      seed: change.seed,
      loopVersion: channel.loopVersion + 1,
    })
    if (isChanged) {
      const { nextSeq } = endOf(plan, fixed.seq + 1, startsAtMs)
      await recordChange(trx, { ...changeRecord(channel, change), nextSeq })
      const fromSeq = isVideoChanged || endsEarly ? fixed.seq : fixed.seq + 1 + difference
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

export interface ReplanResult {
  /** Number of videos that the channel can play. */
  videosCount: number
  change: FutureChange
  /** The future that was written, and the one that it replaces. */
  future: FutureAfter | FutureFromNow
}

interface Change {
  mode: ReplanMode
  cause: Cause
  /** The seed of the new future. */
  seed: string
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
