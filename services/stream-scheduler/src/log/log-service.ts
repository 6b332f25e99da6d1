import type { AuditAction } from '@looptide/contracts/audit-actions'
import {
  type ChannelLog,
  LOG_MS,
  type LogEditBody,
  type LogEditResult,
  MAX_LOG_EDITS,
} from '@looptide/contracts/http/log'
import { areApplied, buildsOn, OPERATION_ENDS_MS, operationsOf } from '@looptide/planner/log-commands'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { type ExpectedVersion, requireVersion } from '@looptide/service-kit/http/conditional'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import { readSnapshot } from '../db/read-snapshot.ts'
import type { ChannelRow, Database, LogEditRow, ProgrammeRow, Store, Trx } from '../db/schema.ts'
import { videoTexts } from '../library/video-repository.ts'
import { lockForChange } from '../schedule/channel-lock.ts'
import { deleteLogEdit, insertLogEdit, readLogEdits } from '../schedule/log-edit-repository.ts'
import { findChannelRow } from '../schedule/published-schedule.ts'
import type { ScheduleReader } from '../schedule/schedule-reader.ts'
import { readTakeoverVideos } from '../takeover/takeover-repository.ts'
import type { FutureAfter } from '../timeline/future.ts'
import { GUARD_MS } from '../timeline/rules.ts'
import type { TimelineCache } from '../timeline/timeline-cache.ts'
import { lastFixed, programmesFrom } from '../timeline/timeline-repository.ts'
import type { TimelineWriter } from '../timeline/timeline-writer.ts'
import { commandOf } from './log-command.ts'
import { presentEdits, presentLog } from './present-log.ts'
import { presentResult } from './present-result.ts'

interface LogDeps {
  db: Kysely<Database>
  timelines: TimelineCache
  writer: TimelineWriter
  schedules: ScheduleReader
  now: () => number
}

/** The log of channels with a schedule. Each edit, the new timeline and the audit entry are one transaction. */
export class LogService {
  readonly #deps: LogDeps

  constructor(deps: LogDeps) {
    this.#deps = deps
  }

  /** Throws `not_found` and `unprocessable` as {@link ChannelLog} describes. */
  read(channelId: string): Promise<{ log: ChannelLog; etag: string }> {
    const { db, schedules, now } = this.#deps
    return readSnapshot(db, async (trx) => {
      const channel = await findChannelRow(trx, channelId)
      const nowMs = now()
      const { rows, fixed } = await logOf(trx, channel, nowMs)
      const edits = await readLogEdits(trx, channelId, nowMs)
      const document = await schedules.document(trx, channel, channel.scheduleVersion)
      const shown = rows.filter(({ endsAtMs, startsAtMs }) => endsAtMs > nowMs && startsAtMs < nowMs + LOG_MS)
      const programmes = await presentLog(trx, shown, { fixed, edits, document })
      return { log: { programmes, edits: await presentEdits(trx, edits) }, etag: etagOf(channel) }
    })
  }

  /** Throws `not_found`, `precondition_failed`, `conflict` and `unprocessable` as {@link LogEditBody} describes. */
  edit(
    channelId: string,
    body: LogEditBody,
    cause: Cause,
    expected: ExpectedVersion,
  ): Promise<LogEditResult> {
    return this.#change(channelId, body.dryRun ?? false, async (trx, channel, nowMs) => {
      requireVersion(expected, etagOf(channel))
      const edit = await this.#store(trx, channel, body, nowMs, cause)
      const future = await this.#replan(trx, channel, nowMs, cause)
      if (!areApplied(edit.operations, future.plan.programmes)) {
        throw new AppError('unprocessable', 'This does not fit before the next hard start.')
      }
      await auditLogEdit(trx, `log.${edit.action}`, channel, edit, cause)
      const result = await this.#result(trx, channel, future, nowMs)
      return { ...result, editId: body.dryRun ? null : edit.id }
    })
  }

  /** Throws `not_found` and `conflict` as {@link LogEditParams} describes. */
  undo(channelId: string, editId: string, cause: Cause): Promise<LogEditResult> {
    return this.#change(channelId, false, async (trx, channel, nowMs) => {
      const edits = await readLogEdits(trx, channelId, nowMs)
      const index = edits.findIndex(({ id }) => id === editId)
      const edit = edits[index]
      if (edit === undefined) throw errors.notFound('This edit')
      if (edits.slice(index + 1).some((later) => buildsOn(later.operations, edit.operations))) {
        throw errors.conflict('A later edit builds on this one. Undo that one first.')
      }
      await deleteLogEdit(trx, editId)
      const future = await this.#replan(trx, channel, nowMs, cause)
      await auditLogEdit(trx, 'log.undo', channel, edit, cause)
      return { ...(await this.#result(trx, channel, future, nowMs)), editId }
    })
  }

  async #store(
    trx: Trx,
    channel: ChannelRow,
    body: LogEditBody,
    nowMs: number,
    { actorId = null }: Cause,
  ): Promise<Omit<LogEditRow, 'createdAt'>> {
    const { rows, fixed } = await logOf(trx, channel, nowMs)
    if ((await readLogEdits(trx, channel.id, nowMs)).length >= MAX_LOG_EDITS) {
      throw new AppError('unprocessable', `A log can have at most ${MAX_LOG_EDITS} edits in effect.`)
    }
    const { command, programme } = commandOf(body, rows, fixed, nowMs + LOG_MS)
    const videoId = command.action === 'insert' ? command.videoId : programme.videoId
    const operations = operationsOf(command, rows, newId)
    if (operations === undefined || videoId === null) {
      throw new AppError('unprocessable', 'This programme cannot be changed.')
    }
    const videoIds = operations.flatMap((operation) => operation.videoId ?? [])
    const playable = await readTakeoverVideos(trx, videoIds)
    if (videoIds.some((id) => !playable.has(id))) {
      throw new AppError('unprocessable', 'This video cannot be played.')
    }
    const endsAtMs = Math.max(...operations.map(({ plannedAtMs }) => plannedAtMs)) + OPERATION_ENDS_MS
    const edit = {
      ...{ id: newId(), channelId: channel.id, action: body.action, videoId },
      ...{ startsAtMs: programme.startsAtMs, endsAtMs, operations, createdBy: actorId },
    }
    await insertLogEdit(trx, edit)
    return edit
  }

  async #replan(trx: Trx, channel: ChannelRow, nowMs: number, cause: Cause): Promise<FutureAfter> {
    const { future } = await this.#deps.writer.replan(trx, channel, nowMs, 'edit', cause)
    if (future.fixed === null) throw offTheAir()
    return future
  }

  async #result(trx: Trx, channel: ChannelRow, { current, plan }: FutureAfter, nowMs: number) {
    const document = await this.#deps.schedules.document(trx, channel, channel.scheduleVersion)
    return presentResult(trx, document, { before: current, after: plan.programmes, untilMs: nowMs + LOG_MS })
  }

  async #change(
    channelId: string,
    isDryRun: boolean,
    change: (trx: Trx, channel: ChannelRow, nowMs: number) => Promise<LogEditResult>,
  ): Promise<LogEditResult> {
    const { db, timelines, now } = this.#deps
    const trx = await db.startTransaction().execute()
    try {
      const result = await change(trx, await lockForChange(trx, channelId), now())
      await (isDryRun ? trx.rollback() : trx.commit()).execute()
      if (!isDryRun) await timelines.refresh([channelId])
      return result
    } catch (error) {
      if (!trx.isCommitted && !trx.isRolledBack) await trx.rollback().execute()
      throw error
    }
  }
}

/** A channel's timeline, and the last programme of it that cannot change. */
async function logOf(
  db: Store,
  channel: ChannelRow,
  nowMs: number,
): Promise<{ rows: ProgrammeRow[]; fixed: ProgrammeRow }> {
  if (channel.scheduleVersion === 0) {
    throw new AppError('unprocessable', 'This channel repeats its playlist. Edit the playlist instead.')
  }
  const fixed = channel.status === 'live' ? await lastFixed(db, channel, nowMs + GUARD_MS) : undefined
  if (fixed === undefined || fixed.endsAtMs <= nowMs) throw offTheAir()
  return { rows: await programmesFrom(db, channel.id, 1), fixed }
}

const offTheAir = () => new AppError('unprocessable', 'The channel is off the air. Start it first.')

const etagOf = ({ timelineVersion }: ChannelRow): string => `"${timelineVersion}"`

/** Appends an audit entry about an edit of a log, in the transaction of the change. */
async function auditLogEdit(
  trx: Trx,
  action: Extract<AuditAction, `log.${string}`>,
  { id, name }: ChannelRow,
  edit: Pick<LogEditRow, 'id' | 'action' | 'videoId' | 'startsAtMs'>,
  cause: Cause,
): Promise<void> {
  const { title = null, artistName = null } = (await videoTexts(trx, [edit.videoId])).get(edit.videoId) ?? {}
  const startsAt = new Date(edit.startsAtMs).toISOString()
  const details = { channelName: name, editId: edit.id, edit: edit.action, title, artistName, startsAt }
  await appendAudit(
    trx,
    'stream.audit.recorded.v1',
    { action, targetType: 'channel', targetId: id, details },
    cause,
  )
}
