import type { RequestedVideo } from '@looptide/contracts/http/requests'
import { textKey } from '@looptide/contracts/text'
import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, ExclusionsTable } from '../../db/schema.ts'

type Exclusion = Selectable<ExclusionsTable>

/** Whether a channel accepts requests. One without a row does. */
export async function isOpen(db: Db<Database>, channelId: string): Promise<boolean> {
  const row = await db.selectFrom('channels').select('isOpen').where('id', '=', channelId).executeTakeFirst()
  return row?.isOpen ?? true
}

/** Creates the row of a channel, unless there is one. */
export async function ensureChannel(trx: Transaction<Database>, channelId: string): Promise<void> {
  await trx
    .insertInto('channels')
    .values({ id: channelId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Locks a channel, which is created if necessary. Returns whether it accepts requests. */
export async function lockChannel(trx: Transaction<Database>, channelId: string): Promise<boolean> {
  await ensureChannel(trx, channelId)
  const row = await trx
    .selectFrom('channels')
    .select('isOpen')
    .where('id', '=', channelId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return row.isOpen
}

/** Opens or closes the requests of a channel that has a row. */
export async function setOpen(trx: Transaction<Database>, channelId: string, isOpen: boolean): Promise<void> {
  await trx.updateTable('channels').set({ isOpen }).where('id', '=', channelId).execute()
}

/** Deletes a channel with all that belongs to it. The requests, of which there may be many, in batches. */
export async function deleteChannel(trx: Transaction<Database>, channelId: string): Promise<void> {
  await inBatches((limit) =>
    sql`delete from requests where id = any(array(
      select id from requests where channel_id = ${channelId} limit ${limit}))`.execute(trx),
  )
  await trx.deleteFrom('channels').where('id', '=', channelId).execute()
}

/** Whether a video, or its artist, is excluded from the requests of a channel. */
export async function findExclusion(
  db: Db<Database>,
  channelId: string,
  { id, artistName }: Pick<RequestedVideo, 'id' | 'artistName'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('exclusions')
    .select('id')
    .where('channelId', '=', channelId)
    .where((eb) => eb.or([eb('videoId', '=', id), eb('artistKey', '=', textKey(artistName))]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** All exclusions of a channel, the oldest one first. Their number is limited. */
export const listExclusions = (db: Db<Database>, channelId: string): Promise<Exclusion[]> =>
  db.selectFrom('exclusions').selectAll().where('channelId', '=', channelId).orderBy('id').execute()

/** Stores an exclusion. Fails if the video or artist is excluded already. */
export async function insertExclusion(
  trx: Transaction<Database>,
  exclusion: Insertable<ExclusionsTable>,
): Promise<void> {
  await trx.insertInto('exclusions').values(exclusion).execute()
}

/** Deletes an exclusion and returns it; undefined if there is none. */
export const deleteExclusion = (
  trx: Transaction<Database>,
  channelId: string,
  id: string,
): Promise<Exclusion | undefined> =>
  trx
    .deleteFrom('exclusions')
    .where('channelId', '=', channelId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
