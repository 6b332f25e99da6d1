import {
  MAX_REPORTS_PER_DAY,
  type OwnDecision,
  type OwnReport,
  type ReportMessageBody,
} from '@looptide/contracts/http/chat-cases'
import type { Db } from '@looptide/service-kit/db/db'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { findChannelState } from '../channels/channel-repository.ts'
import { findMessage } from '../messages/message-repository.ts'
import { decisionsAbout, findCase, openCase, updateCase } from './case-repository.ts'
import { presentDecision, presentReport } from './present-case.ts'
import { findReport, insertReport, lockReporter, reportsBy, reportTimesSince } from './report-repository.ts'

const DAY_MS = 86_400_000
const PAGE_SIZE = 50

/** Reports of messages by viewers, and appeals of authors. */
export class ReportService {
  readonly #db: Kysely<Database>

  constructor(db: Kysely<Database>) {
    this.#db = db
  }

  /**
   * Reports a message, once per account; a repeated report returns the first one. Throws `not_found` for a message that is
   * unknown, removed or in a deleted channel, `forbidden` for the user's own one, and `rate_limited` above {@link MAX_REPORTS_PER_DAY}.
   */
  async report(
    reporterId: string,
    { id: channelId, messageId }: { id: string; messageId: string },
    { reason, text }: ReportMessageBody,
    cause: Cause,
  ): Promise<{ report: OwnReport; isNew: boolean }> {
    return this.#db.transaction().execute(async (trx) => {
      await lockReporter(trx, reporterId)
      const known = await findReport(trx, reporterId, messageId)
      if (known !== undefined) return { report: presentReport(known), isNew: false }
      if ((await findChannelState(trx, channelId)) === null) throw errors.notFound('This channel')
      const message = await findMessage(trx, channelId, messageId)
      if (message === undefined || message.isDeleted) throw errors.notFound('This message')
      if (message.userId === reporterId) throw errors.notAllowed('You cannot report your own message.')
      const now = new Date()
      await requireRate(trx, reporterId, now)
      const { id } = await openCase(trx, {
        id: newId(now.getTime()),
        channelId,
        messageId,
        seq: message.seq,
        authorUserId: message.userId,
        message: message.message,
        postedAt: message.createdAt,
        openedAt: now,
        state: 'open',
      })
      await insertReport(trx, {
        caseId: id,
        reporterUserId: reporterId,
        reason,
        text: text ?? null,
        reportedAt: now,
      })
      await appendEvent(trx, 'chat.case.changed.v1', id, { caseId: id }, cause)
      const stored = await findReport(trx, reporterId, messageId)
      if (stored === undefined) throw errors.unavailable('The chat')
      return { report: presentReport(stored), isNew: true }
    })
  }

  /** Appeals against a decision. Throws `not_found` for a decision that does not concern the user, `conflict` for a second appeal. */
  async appeal(authorId: string, id: string, text: string, cause: Cause): Promise<OwnDecision> {
    return this.#db.transaction().execute(async (trx) => {
      const found = await findCase(trx, id, { forUpdate: true })
      if (found?.authorUserId !== authorId || found.decision === null || found.decision === 'none')
        throw errors.notFound('This decision')
      if (found.state !== 'decided') throw errors.conflict('You have already appealed against this decision.')
      const change = { state: 'appealed', appeal: text, appealedAt: new Date() } as const
      await updateCase(trx, id, change)
      await appendEvent(trx, 'chat.case.changed.v1', id, { caseId: id }, cause)
      return presentDecision({ ...found, ...change })
    })
  }
}

/** Throws `rate_limited` if the account has made all its reports of the last 24 hours. */
async function requireRate(trx: Transaction<Database>, reporterId: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS)
  const times = await reportTimesSince(trx, reporterId, since, MAX_REPORTS_PER_DAY)
  const oldest = times[MAX_REPORTS_PER_DAY - 1]
  if (oldest === undefined) return
  const retryAfterMs = Math.max(1, oldest.getTime() + DAY_MS - now.getTime())
  throw new AppError('rate_limited', 'You have reported many messages today.', { retryAfterMs })
}

const beforeOf = (cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : decodeCursor(cursor, ['string'])[0]

/** One page of a user's reports, newest first. Errors: `invalid_cursor`. */
export async function readReports(db: Db<Database>, userId: string, cursor?: string) {
  const rows = await reportsBy(db, userId, { before: beforeOf(cursor), limit: PAGE_SIZE + 1 })
  return toPage(rows, PAGE_SIZE, presentReport, ({ id }) => [id])
}

/** One page of the decisions against a user's messages, newest first. Errors: `invalid_cursor`. */
export async function readDecisions(db: Db<Database>, userId: string, cursor?: string) {
  const range = { before: beforeOf(cursor), limit: PAGE_SIZE + 1, against: true }
  return toPage(await decisionsAbout(db, userId, range), PAGE_SIZE, presentDecision, ({ id }) => [id])
}
