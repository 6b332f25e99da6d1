import type { ScheduleDraft, ScheduleDraftDocument } from '@looptide/contracts/http/schedules'
import type { ScheduleProblem } from '@looptide/contracts/schedule'
import { documentProblems, normaliseDocument } from '@looptide/planner/document-problems'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { type ExpectedVersion, requireVersion } from '@looptide/service-kit/http/conditional'
import { AppError } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import type { ChannelRow, Database, Store } from '../db/schema.ts'
import { auditSchedule, lockForChange } from './channel-lock.ts'
import { checkDocument } from './check-document.ts'
import { findChannelRow } from './published-schedule.ts'
import type { ScheduleReader } from './schedule-reader.ts'
import {
  type DraftRow,
  deleteDraft,
  endSubmission,
  readDraft,
  readVersion,
  saveDraft,
  saveSubmission,
} from './schedule-repository.ts'

/** A draft and its ETag. */
export interface TaggedDraft {
  draft: ScheduleDraft
  etag: string
}

interface DraftDeps {
  db: Kysely<Database>
  schedules: ScheduleReader
  now: () => number
}

/** The drafts of schedules: one per channel, shared by all admins. */
export class ScheduleDrafts {
  readonly #deps: DraftDeps

  constructor(deps: DraftDeps) {
    this.#deps = deps
  }

  /** The draft or, without one, the published document. Throws `not_found` for an unknown channel. */
  async get(channelId: string): Promise<TaggedDraft> {
    const { db } = this.#deps
    return currentDraft(db, await findChannelRow(db, channelId))
  }

  /**
   * Stores a draft. Throws `schedule_invalid` with problems unless it is a document of which only fields are missing, and
   * `precondition_failed` with the current draft if it has another version than `expected`.
   */
  save(channelId: string, given: unknown, cause: Cause, expected: ExpectedVersion): Promise<TaggedDraft> {
    const document = normaliseDocument(given)
    const problems = documentProblems(document, 'draft')
    if (problems.length > 0) throw scheduleInvalid(problems)
    return this.#deps.db.transaction().execute(async (trx) => {
      const channel = await lockForChange(trx, channelId)
      const before = await readDraft(trx, channelId)
      const current = await currentDraft(trx, channel, before)
      requireVersion(expected, current.etag, current.draft)
      const row = await saveDraft(trx, {
        channelId,
        revision: (before?.revision ?? 0) + 1,
        document: document as ScheduleDraftDocument,
        basedOnVersion: before?.basedOnVersion ?? channel.scheduleVersion,
        savedBy: cause.actorId ?? null,
      })
      await auditSchedule(trx, 'schedule.save_draft', channel, { after: { revision: row.revision } }, cause)
      return tagged(row)
    })
  }

  /**
   * Submits the draft for approval. Throws `schedule_invalid` with problems, `unprocessable` without a draft, and otherwise
   * like {@link save}.
   */
  submit(
    channelId: string,
    note: string | undefined,
    cause: Cause,
    expected: ExpectedVersion,
  ): Promise<TaggedDraft> {
    const { db, schedules, now } = this.#deps
    return db.transaction().execute(async (trx) => {
      const channel = await lockForChange(trx, channelId)
      const { draft, etag } = await currentDraft(trx, channel)
      requireVersion(expected, etag, draft)
      if (draft.savedAt === null) throw new AppError('unprocessable', 'There is no draft to submit.')
      const { problems } = await checkDocument(trx, schedules, channel, draft.document, now())
      if (problems.length > 0) throw scheduleInvalid(problems)
      const submission = {
        submittedBy: cause.actorId ?? null,
        submittedAt: new Date(now()),
        submissionNote: note ?? '',
      }
      const row = await saveSubmission(trx, channelId, submission)
      await auditSchedule(trx, 'schedule.submit', channel, { details: noteOf(note) }, cause)
      return tagged(row)
    })
  }

  /**
   * Ends the submission of the draft, which is kept: withdraws it, if it is the caller's own, or sends it back for `reason`.
   * Throws `not_found` for an unknown channel.
   */
  async endSubmission(channelId: string, reason: string | undefined, cause: Cause): Promise<void> {
    const { db, now } = this.#deps
    await db.transaction().execute(async (trx) => {
      const channel = await lockForChange(trx, channelId)
      const draft = await readDraft(trx, channelId)
      if (draft === undefined || draft.submittedAt === null) return
      const sentBackBy = cause.actorId ?? null
      if (draft.submittedBy === sentBackBy) {
        await endSubmission(trx, channelId, undefined)
        await auditSchedule(trx, 'schedule.withdraw', channel, {}, cause)
        return
      }
      const sentBackReason = reason ?? ''
      await endSubmission(trx, channelId, { sentBackBy, sentBackAt: new Date(now()), sentBackReason })
      const details = sentBackReason === '' ? {} : { reason: sentBackReason }
      await auditSchedule(trx, 'schedule.send_back', channel, { details }, cause)
    })
  }

  /** Discards the draft, if there is one. Throws like {@link save}. */
  async discard(channelId: string, cause: Cause, expected: ExpectedVersion): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const channel = await lockForChange(trx, channelId)
      const before = await readDraft(trx, channelId)
      const current = await currentDraft(trx, channel, before)
      requireVersion(expected, current.etag, current.draft)
      if (before === undefined) return
      await deleteDraft(trx, channelId)
      await auditSchedule(trx, 'schedule.discard_draft', channel, { before: before.document }, cause)
    })
  }
}

/** The draft of a channel as clients see it. */
export async function currentDraft(
  db: Store,
  { id, scheduleVersion }: ChannelRow,
  row?: DraftRow,
): Promise<TaggedDraft> {
  const stored = row ?? (await readDraft(db, id))
  if (stored !== undefined) return tagged(stored)
  const published = await readVersion(db, id, scheduleVersion)
  const document = published?.document ?? null
  const notSaved = { savedAt: null, savedBy: null, submission: null, sentBack: null }
  return {
    draft: { document, basedOnVersion: scheduleVersion, ...notSaved },
    etag: `"none-${scheduleVersion}"`,
  }
}

/** The time makes the tag unique: revisions begin again after a draft has been published or discarded. */
function tagged(row: DraftRow): TaggedDraft {
  const { revision, document, basedOnVersion, savedAt, savedBy, submittedAt, submittedBy, sentBackAt } = row
  const submission = submittedAt && {
    submittedBy,
    submittedAt: submittedAt.toISOString(),
    note: row.submissionNote,
  }
  const sentBack = sentBackAt && {
    sentBackBy: row.sentBackBy,
    sentBackAt: sentBackAt.toISOString(),
    reason: row.sentBackReason,
  }
  return {
    draft: { document, basedOnVersion, savedAt: savedAt.toISOString(), savedBy, submission, sentBack },
    etag: `"${revision}-${savedAt.getTime()}"`,
  }
}

/** The note of a version or a submission as details of an audit entry. */
export const noteOf = (note: string | undefined): { note?: string } => (note ? { note } : {})

/** The refusal of a document with errors, which are its details. */
export const scheduleInvalid = (problems: ScheduleProblem[]): AppError =>
  new AppError('schedule_invalid', 'The schedule has errors.', { problems })
