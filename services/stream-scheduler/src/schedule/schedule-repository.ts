import type { ScheduleDraftDocument } from '@looptide/contracts/http/schedules'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import type { Airing } from '@looptide/planner/library'
import { airingOf, type EditTrace } from '@looptide/planner/log-edits'
import type { PlanState } from '@looptide/planner/plan'
import { type Selectable, sql } from 'kysely'
import type { Database, Store, Trx } from '../db/schema.ts'

export type DraftRow = Selectable<Database['scheduleDrafts']>
export type VersionRow = Selectable<Database['scheduleVersions']>

/** The saved draft of a channel's schedule; undefined if there is none. */
export async function readDraft(db: Store, channelId: string): Promise<DraftRow | undefined> {
  return db.selectFrom('scheduleDrafts').selectAll().where('channelId', '=', channelId).executeTakeFirst()
}

/** Stores a draft as the next revision, which nobody has submitted yet. The caller holds the channel's lock. */
export async function saveDraft(
  trx: Trx,
  draft: {
    channelId: string
    revision: number
    document: ScheduleDraftDocument
    basedOnVersion: number
    savedBy: string | null
  },
): Promise<DraftRow> {
  const document = JSON.stringify(draft.document)
  const values = { ...draft, document, savedAt: new Date(), ...NOT_SUBMITTED }
  const { channelId: _channelId, ...changed } = values
  return trx
    .insertInto('scheduleDrafts')
    .values(values)
    .onConflict((conflict) => conflict.column('channelId').doUpdateSet(changed))
    .returningAll()
    .executeTakeFirstOrThrow()
}

const NOT_SUBMITTED = { submittedBy: null, submittedAt: null, submissionNote: '' }

const NOT_SENT_BACK = { sentBackBy: null, sentBackAt: null, sentBackReason: '' }

/** Marks the draft of a channel's schedule as one that waits for approval. */
export async function saveSubmission(
  trx: Trx,
  channelId: string,
  submission: { submittedBy: string | null; submittedAt: Date; submissionNote: string },
): Promise<DraftRow> {
  return trx
    .updateTable('scheduleDrafts')
    .set({ ...submission, ...NOT_SENT_BACK })
    .where('channelId', '=', channelId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Ends the submission of a draft. `sentBack`: by whom and why, which is kept until the next submission. */
export async function endSubmission(
  trx: Trx,
  channelId: string,
  sentBack: { sentBackBy: string | null; sentBackAt: Date; sentBackReason: string } | undefined,
): Promise<void> {
  await trx
    .updateTable('scheduleDrafts')
    .set({ ...NOT_SUBMITTED, ...sentBack })
    .where('channelId', '=', channelId)
    .execute()
}

/** The channels whose drafts wait for approval, the longest waiting first. */
export function listSubmittedDrafts(db: Store): Promise<{ channelId: string; name: string }[]> {
  return db
    .selectFrom('scheduleDrafts')
    .innerJoin('channels', 'channels.id', 'scheduleDrafts.channelId')
    .select(['scheduleDrafts.channelId', 'channels.name'])
    .where('scheduleDrafts.submittedAt', 'is not', null)
    .orderBy('scheduleDrafts.submittedAt')
    .execute()
}

/** Deletes the draft of a channel's schedule, if there is one. */
export async function deleteDraft(trx: Trx, channelId: string): Promise<void> {
  await trx.deleteFrom('scheduleDrafts').where('channelId', '=', channelId).execute()
}

/** A published version of a channel's schedule; undefined if there is none with this number. */
export async function readVersion(
  db: Store,
  channelId: string,
  version: number,
): Promise<VersionRow | undefined> {
  return db
    .selectFrom('scheduleVersions')
    .selectAll()
    .where('channelId', '=', channelId)
    .where('version', '=', version)
    .executeTakeFirst()
}

/** Versions without their documents, newest first, with one more than `limit` if there is one. */
export async function listVersions(
  db: Store,
  channelId: string,
  beforeVersion: number,
  limit: number,
): Promise<Omit<VersionRow, 'document'>[]> {
  return db
    .selectFrom('scheduleVersions')
    .select(['channelId', 'version', 'publishedAt', 'publishedBy', 'restoredFrom', 'note'])
    .where('channelId', '=', channelId)
    .where('version', '<', beforeVersion)
    .orderBy('version', 'desc')
    .limit(limit + 1)
    .execute()
}

/** Versions of a channel that are kept. */
const MAX_VERSIONS = 500

/**
 * Stores the next version and returns its number. Deletes the oldest versions beyond {@link MAX_VERSIONS}. The caller holds
 * the channel's lock.
 */
export async function insertVersion(
  trx: Trx,
  version: {
    channelId: string
    document: ScheduleDocument
    publishedBy: string | null
    restoredFrom: number | null
    note?: string | undefined
  },
): Promise<number> {
  const last = await trx
    .selectFrom('scheduleVersions')
    .select((select) => select.fn.max('version').as('version'))
    .where('channelId', '=', version.channelId)
    .executeTakeFirst()
  const next = (last?.version ?? 0) + 1
  await trx
    .insertInto('scheduleVersions')
    .values({ ...version, version: next, document: JSON.stringify(version.document) })
    .execute()
  await trx
    .deleteFrom('scheduleVersions')
    .where('channelId', '=', version.channelId)
    .where('version', '<=', next - MAX_VERSIONS)
    .execute()
  return next
}

/** The planner's state before the programme `seq`, from which planning continues. */
export interface StoredState {
  seq: number
  /** Start of that programme (epoch ms). */
  startsAtMs: number
  state: PlanState | null
}

/** The last stored state of a channel's planner, and the programme at which it was taken. */
export async function readState(db: Store, channelId: string): Promise<StoredState | undefined> {
  return db
    .selectFrom('scheduleStates')
    .select(['seq', 'startsAtMs', 'state'])
    .where('channelId', '=', channelId)
    .executeTakeFirst()
}

/** Replaces the stored state of a channel's planner. */
export async function saveState(trx: Trx, channelId: string, stored: StoredState): Promise<void> {
  const values = { ...stored, state: stored.state === null ? null : JSON.stringify(stored.state) }
  await trx
    .insertInto('scheduleStates')
    .values({ channelId, ...values })
    .onConflict((conflict) => conflict.column('channelId').doUpdateSet(values))
    .execute()
}

/** Deletes the stored state: the next plan replays the timeline. */
export async function deleteState(trx: Trx, channelId: string): Promise<void> {
  await trx.deleteFrom('scheduleStates').where('channelId', '=', channelId).execute()
}

/** A local day is at most 25 hours long; airings of this time (ms) are all listed, since rules count those of a day. */
const DAY_MS = 26 * 3_600_000

/**
 * The airings of a channel before an instant (epoch ms), in order: all of the last day, and before it the last one of
 * each video.
 */
export async function readHistory(db: Store, channelId: string, beforeMs: number): Promise<Airing[]> {
  const dayMs = beforeMs - DAY_MS
  const { rows } = await sql<Airing & { videoId: string; edit: EditTrace | null }>`
    select video_id, started_at_ms as starts_at_ms, ended_at_ms as ends_at_ms, null as edit from last_airings
    where channel_id = ${channelId} and started_at_ms < ${dayMs}
    union all
    select video_id, started_at_ms, ended_at_ms, reason->'edit' from air_log
    where channel_id = ${channelId} and started_at_ms >= ${dayMs} and started_at_ms < ${beforeMs}
    order by starts_at_ms`.execute(db)
  return rows.flatMap(({ edit, ...row }) => airingOf({ ...row, reason: edit && { edit } }))
}

/** The video that has started last on a channel. It may have been deleted. */
export function readLastAired(
  db: Store,
  channelId: string,
): Promise<{ id: string; artistName: string } | undefined> {
  return db
    .selectFrom('airLog')
    .select(['videoId as id', 'artistName'])
    .where('channelId', '=', channelId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}
