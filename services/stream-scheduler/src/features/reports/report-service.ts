import { appendAudit } from '@looptide/service-kit/audit'
import { AppError, errors } from '@looptide/service-kit/errors'
import { appendEvent, type Cause } from '@looptide/service-kit/outbox'
import type { Kysely } from 'kysely'
import type { Database, Trx, VideoRow } from '../../db/schema.ts'
import type { ChannelKeeper } from '../../timeline/channel-keeper.ts'
import { markStaleFor } from '../../timeline/stale-repository.ts'
import type { TimelineMemory } from '../../timeline/timeline-memory.ts'
import { agreedDuration } from './agreed-duration.ts'
import * as reports from './report-repository.ts'
import {
  countsAgainst,
  DURATION_REPORTS_KEPT,
  DURATION_TOLERANCE_MS,
  ERROR_WINDOW_MS,
  ERRORS_TO_QUARANTINE,
  QUARANTINE_WINDOW_MS,
  QUARANTINES_BY_VIEWERS,
  REPORT_WINDOW_MS,
  REPORTABLE_DURATION_MS,
  VIDEOS_PER_VIEWER,
} from './report-rules.ts'

interface ReportDeps {
  db: Kysely<Database>
  memory: TimelineMemory
  keeper: ChannelKeeper
  now: () => number
}

export interface PlaybackReport {
  channelId: string
  videoId: string
  /** Who says so: the account, or the network a visitor comes from. */
  viewer: string
  /** The viewer's network, as a keyed hash. */
  network: string
  errorCode?: number
  durationMs?: number
}

/** What viewers' players tell of videos, and what follows from it when several say the same. */
export class ReportService {
  readonly #deps: ReportDeps

  constructor(deps: ReportDeps) {
    this.#deps = deps
  }

  /**
   * Takes a report. False when it cannot count: see {@link countsAgainst}, the time window and
   * {@link VIDEOS_PER_VIEWER}.
   */
  async report(report: PlaybackReport): Promise<boolean> {
    if (report.errorCode === undefined && report.durationMs === undefined) {
      throw errors.validation('A report needs either an error code or a duration.')
    }
    if (!this.#wasOn(report.channelId, report.videoId)) return false
    const accepted = await this.#deps.db.transaction().execute(async (trx) => {
      const video = await reports.lockVideo(trx, report.videoId)
      if (video === undefined) return false
      const error = await this.#takeError(trx, video, report)
      const duration = await this.#takeDuration(trx, video, report)
      return error || duration
    })
    this.#deps.keeper.nudge()
    return accepted
  }

  /** Lets a video back on the air. Throws `not_found`. */
  async release(videoId: string, cause: Cause): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const video = await reports.lockVideo(trx, videoId)
      if (video === undefined || video.quarantinedAt === null)
        throw errors.notFound('This video in quarantine')
      await reports.setQuarantine(trx, videoId, null)
      await reports.deleteErrors(trx, videoId)
      await markStaleFor(trx, videoId)
      const before = { reason: video.quarantineReason, quarantinedAt: video.quarantinedAt }
      const target = { targetType: 'video', targetId: videoId }
      const details = { videoTitle: video.title }
      const facts = { action: 'quarantine.release', ...target, before, details } as const
      await appendAudit(trx, 'stream.audit.recorded.v1', facts, cause)
    })
    this.#deps.keeper.nudge()
  }

  /**
   * Puts another video into the places of one in quarantine, in every channel's playlist. Answers how many those were.
   * Throws `not_found`, also for a replacement that nobody has told of yet, and `unprocessable` for one that is in
   * quarantine itself.
   */
  async replace(videoId: string, replacementId: string, cause: Cause): Promise<number> {
    const places = await this.#deps.db.transaction().execute(async (trx) => {
      const video = await reports.lockVideo(trx, videoId)
      if (video === undefined || video.quarantinedAt === null)
        throw errors.notFound('This video in quarantine')
      const replacement = await reports.lockVideo(trx, replacementId)
      if (replacement === undefined || replacement.removedAt !== null)
        throw errors.notFound('The replacement')
      if (replacement.quarantinedAt !== null)
        throw new AppError('unprocessable', 'The replacement is quarantined.')
      await markStaleFor(trx, videoId)
      const count = await reports.replaceInPlaylists(trx, videoId, replacementId)
      const target = { targetType: 'video', targetId: videoId }
      const after = { videoId: replacementId, places: count }
      const details = { videoTitle: video.title, replacementTitle: replacement.title }
      const facts = { action: 'quarantine.replace', ...target, before: { videoId }, after, details } as const
      await appendAudit(trx, 'stream.audit.recorded.v1', facts, cause)
      return count
    })
    this.#deps.keeper.nudge()
    return places
  }

  #wasOn(channelId: string, videoId: string): boolean {
    const known = this.#deps.memory.get(channelId)
    if (known === undefined) throw errors.notFound('This channel')
    const nowMs = this.#deps.now()
    return known.programmes.some(
      (programme) =>
        programme.videoId === videoId &&
        programme.endsAtMs > nowMs - REPORT_WINDOW_MS.before &&
        programme.startsAtMs < nowMs + REPORT_WINDOW_MS.ahead,
    )
  }

  async #takeError(trx: Trx, video: VideoRow, { errorCode, channelId, viewer }: PlaybackReport) {
    if (errorCode === undefined || !countsAgainst(video, errorCode)) return false
    if (video.quarantinedAt !== null) return true
    const nowMs = this.#deps.now()
    const reportedAt = new Date(nowMs)
    const since = new Date(nowMs - ERROR_WINDOW_MS)
    if ((await reports.countOthersOf(trx, viewer, video.id, since, VIDEOS_PER_VIEWER)) >= VIDEOS_PER_VIEWER)
      return false
    await reports.saveReport(trx, {
      kind: 'error',
      videoId: video.id,
      channelId,
      viewer,
      errorCode,
      reportedAt,
    })
    const count = await reports.countErrors(trx, video.id, since)
    if (count < ERRORS_TO_QUARANTINE || !(await hasRoom(trx, nowMs))) return true
    const reason = `player error ${errorCode}`
    await reports.setQuarantine(trx, video.id, { at: reportedAt, reason, channelId })
    await markStaleFor(trx, video.id)
    await appendEvent(trx, 'stream.video.quarantined.v1', video.id, { videoId: video.id, channelId, reason })
    return true
  }

  /**
   * Counts while metadata has not confirmed the duration. What reports set stays unconfirmed, so that a later majority
   * or the metadata can correct it.
   */
  async #takeDuration(trx: Trx, video: VideoRow, report: PlaybackReport) {
    const { durationMs, channelId, viewer, network } = report
    if (durationMs === undefined || !video.durationAssumed) return false
    if (durationMs < REPORTABLE_DURATION_MS.min || durationMs > REPORTABLE_DURATION_MS.max) return false
    const reportedAt = new Date(this.#deps.now())
    const row = { kind: 'duration' as const, videoId: video.id, channelId, viewer, network, durationMs }
    await reports.saveReport(trx, { ...row, reportedAt })
    const learned = agreedDuration(await reports.keepNewestDurations(trx, video.id, DURATION_REPORTS_KEPT))
    if (learned === null || Math.abs(learned - video.durationMs) <= DURATION_TOLERANCE_MS) return true
    await appendEvent(trx, 'stream.duration.learned.v1', video.id, { videoId: video.id, durationMs: learned })
    return true
  }
}

/** May viewers take one more video off the air now? Held to within the few that are decided at the same moment. */
async function hasRoom(trx: Trx, nowMs: number): Promise<boolean> {
  const since = new Date(nowMs - QUARANTINE_WINDOW_MS)
  return (await reports.countQuarantined(trx, since, QUARANTINES_BY_VIEWERS)) < QUARANTINES_BY_VIEWERS
}
