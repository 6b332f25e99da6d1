import { appendAudit } from '@looptide/service-kit/audit/audit'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import type { Database, Trx, VideoRow } from '../db/schema.ts'
import { countQuarantined } from '../library/video-repository.ts'
import { markChannelsStale } from '../timeline/stale-repository.ts'
import type { TimelineCache } from '../timeline/timeline-cache.ts'
import type { TimelineWorker } from '../timeline/timeline-worker.ts'
import { agreedDuration } from './agreed-duration.ts'
import * as reports from './report-repository.ts'
import {
  DURATION_REPORTS_KEPT,
  DURATION_TOLERANCE_MS,
  ERROR_WINDOW_MS,
  ERRORS_TO_QUARANTINE,
  isVideoFault,
  QUARANTINE_WINDOW_MS,
  QUARANTINES_BY_VIEWERS,
  REPORT_WINDOW_MS,
  REPORTABLE_DURATION_MS,
  VIDEOS_PER_VIEWER,
} from './report-rules.ts'

interface ReportDeps {
  db: Kysely<Database>
  timelines: TimelineCache
  worker: TimelineWorker
  now: () => number
}

export interface PlaybackReport {
  channelId: string
  videoId: string
  /** The reporting viewer: an account, or the network of a visitor. */
  viewer: string
  /** The viewer's network, as a keyed hash. */
  network: string
  /** The viewer's country, ISO 3166-1 alpha-2; null if it is unknown. */
  country: string | null
  errorCode?: number
  durationMs?: number
}

/** Collects reports of viewers' players, quarantines videos that several viewers cannot play, and learns durations. */
export class ReportService {
  readonly #deps: ReportDeps

  constructor(deps: ReportDeps) {
    this.#deps = deps
  }

  /**
   * Records a report. Returns false if it does not count, see {@link isVideoFault}, {@link REPORT_WINDOW_MS} and
   * {@link VIDEOS_PER_VIEWER}. Throws `not_found` for an unknown channel.
   */
  async report(report: PlaybackReport): Promise<boolean> {
    if (report.errorCode === undefined && report.durationMs === undefined) {
      throw errors.validation('A report needs either an error code or a duration.')
    }
    if (!this.#isInReportWindow(report.channelId, report.videoId)) return false
    const accepted = await this.#deps.db.transaction().execute(async (trx) => {
      // The cache may still hold a channel that has just been deleted.
      if (!(await reports.holdChannel(trx, report.channelId))) throw errors.notFound('This channel')
      const video = await reports.lockVideo(trx, report.videoId)
      if (video === undefined) return false
      const error = await this.#recordError(trx, video, report)
      const duration = await this.#recordDuration(trx, video, report)
      return error || duration
    })
    this.#deps.worker.wake()
    return accepted
  }

  /** Releases a video from quarantine. Throws `not_found`. */
  async release(videoId: string, cause: Cause): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const video = await reports.lockVideo(trx, videoId)
      if (video === undefined || video.quarantinedAt === null)
        throw errors.notFound('This video in quarantine')
      await reports.setQuarantine(trx, videoId, null)
      await reports.deleteErrors(trx, videoId)
      await markChannelsStale(trx, videoId)
      const before = { reason: video.quarantineReason, quarantinedAt: video.quarantinedAt }
      const target = { targetType: 'video', targetId: videoId }
      const details = { videoTitle: video.title }
      const entry = { action: 'quarantine.release', ...target, before, details } as const
      await appendAudit(trx, 'stream.audit.recorded.v1', entry, cause)
    })
    this.#deps.worker.wake()
  }

  /**
   * Replaces a video in quarantine by another one in all playlists. Returns the number of items. Throws `not_found`, also
   * for a replacement that has not arrived from the catalogue yet, and `unprocessable` for one in quarantine.
   */
  async replace(videoId: string, replacementId: string, cause: Cause): Promise<number> {
    const itemCount = await this.#deps.db.transaction().execute(async (trx) => {
      const video = await reports.lockVideo(trx, videoId)
      if (video === undefined || video.quarantinedAt === null)
        throw errors.notFound('This video in quarantine')
      const replacement = await reports.lockVideo(trx, replacementId)
      if (replacement === undefined || replacement.removedAt !== null)
        throw errors.notFound('The replacement')
      if (replacement.quarantinedAt !== null)
        throw new AppError('unprocessable', 'The replacement is quarantined.')
      await markChannelsStale(trx, videoId)
      const count = await reports.replaceInPlaylists(trx, videoId, replacementId)
      const target = { targetType: 'video', targetId: videoId }
      const after = { videoId: replacementId, places: count }
      const details = { videoTitle: video.title, replacementTitle: replacement.title }
      const entry = { action: 'quarantine.replace', ...target, before: { videoId }, after, details } as const
      await appendAudit(trx, 'stream.audit.recorded.v1', entry, cause)
      return count
    })
    this.#deps.worker.wake()
    return itemCount
  }

  #isInReportWindow(channelId: string, videoId: string): boolean {
    const channel = this.#deps.timelines.get(channelId)
    if (channel === undefined) throw errors.notFound('This channel')
    const nowMs = this.#deps.now()
    return channel.programmes.some(
      (programme) =>
        programme.videoId === videoId &&
        programme.endsAtMs > nowMs - REPORT_WINDOW_MS.before &&
        programme.startsAtMs < nowMs + REPORT_WINDOW_MS.ahead,
    )
  }

  async #recordError(trx: Trx, video: VideoRow, { errorCode, channelId, viewer, country }: PlaybackReport) {
    if (errorCode === undefined || !isVideoFault(video, errorCode)) return false
    if (video.quarantinedAt !== null) return true
    const nowMs = this.#deps.now()
    const reportedAt = new Date(nowMs)
    const since = new Date(nowMs - ERROR_WINDOW_MS)
    if (
      (await reports.countOtherVideosReported(trx, viewer, video.id, since, VIDEOS_PER_VIEWER)) >=
      VIDEOS_PER_VIEWER
    )
      return false
    await reports.saveReport(trx, {
      kind: 'error',
      videoId: video.id,
      channelId,
      viewer,
      country,
      errorCode,
      reportedAt,
    })
    const count = await reports.countErrors(trx, video.id, since)
    if (count < ERRORS_TO_QUARANTINE || !(await mayQuarantine(trx, nowMs))) return true
    const reason = `player error ${errorCode}`
    await reports.setQuarantine(trx, video.id, { at: reportedAt, reason, channelId })
    await markChannelsStale(trx, video.id)
    await appendEvent(trx, 'stream.video.quarantined.v1', video.id, { videoId: video.id, channelId, reason })
    return true
  }

  /**
   * Counts only until metadata confirms the duration. A duration set by reports stays unconfirmed, so that a later
   * majority or the metadata can correct it.
   */
  async #recordDuration(trx: Trx, video: VideoRow, report: PlaybackReport) {
    const { durationMs, channelId, viewer, network, country } = report
    if (durationMs === undefined || !video.durationAssumed) return false
    if (durationMs < REPORTABLE_DURATION_MS.min || durationMs > REPORTABLE_DURATION_MS.max) return false
    const reportedAt = new Date(this.#deps.now())
    const row = {
      kind: 'duration' as const,
      videoId: video.id,
      channelId,
      viewer,
      network,
      country,
      durationMs,
    }
    await reports.saveReport(trx, { ...row, reportedAt })
    const latest = await reports.keepLatestDurations(trx, video.id, viewer, DURATION_REPORTS_KEPT)
    const learned = agreedDuration(latest)
    if (learned === null || Math.abs(learned - video.durationMs) <= DURATION_TOLERANCE_MS) return true
    await appendEvent(trx, 'stream.duration.learned.v1', video.id, { videoId: video.id, durationMs: learned })
    return true
  }
}

/** Whether viewers may quarantine another video now. Concurrent decisions can exceed the limit by a few videos. */
async function mayQuarantine(trx: Trx, nowMs: number): Promise<boolean> {
  const since = new Date(nowMs - QUARANTINE_WINDOW_MS)
  return (await countQuarantined(trx, since, QUARANTINES_BY_VIEWERS)) < QUARANTINES_BY_VIEWERS
}
