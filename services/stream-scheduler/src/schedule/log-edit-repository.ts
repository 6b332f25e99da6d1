import type { LogOperation } from '@looptide/planner/log-edits'
import { sql } from 'kysely'
import type { LogEditRow, ProgrammeRow, Store, Trx } from '../db/schema.ts'

/** The edits of a channel whose programmes are not over at `nowMs` (epoch ms), the oldest one first. */
export async function readLogEdits(db: Store, channelId: string, nowMs: number): Promise<LogEditRow[]> {
  return db
    .selectFrom('logEdits')
    .selectAll()
    .where('channelId', '=', channelId)
    .where('endsAtMs', '>', nowMs)
    .orderBy('id')
    .execute()
}

/** Stores an edit. The caller holds the channel's lock. */
export async function insertLogEdit(
  trx: Trx,
  { operations, ...edit }: Omit<LogEditRow, 'createdAt'> & { operations: readonly LogOperation[] },
): Promise<void> {
  await trx
    .insertInto('logEdits')
    .values({ ...edit, operations: JSON.stringify(operations) })
    .execute()
}

/** Deletes an edit. */
export async function deleteLogEdit(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('logEdits').where('id', '=', id).execute()
}

/** Deletes edits whose programmes are over. */
export async function pruneLogEdits(db: Store, nowMs: number): Promise<void> {
  await db.deleteFrom('logEdits').where('endsAtMs', '<=', nowMs).execute()
}

/** The programmes of a channel up to `toSeq` that log edits have changed, as far as the timeline still has them. */
export async function readEditedProgrammes(
  db: Store,
  channelId: string,
  toSeq: number,
): Promise<Pick<ProgrammeRow, 'itemId' | 'videoId' | 'startsAtMs' | 'reason'>[]> {
  return db
    .selectFrom('programmes')
    .select(['itemId', 'videoId', 'startsAtMs', 'reason'])
    .where('channelId', '=', channelId)
    .where('seq', '<=', toSeq)
    .where(sql<boolean>`reason ? 'edit'`)
    .orderBy('seq')
    .execute()
}
