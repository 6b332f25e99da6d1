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

/** What a request asks for. */
interface Requested {
  id: string
  channelId: string
  videoId: string
  artistName: string
}

/** Those of these requests, by id, whose video or artist is excluded from the requests of their channel. */
export async function excludedAmong(
  db: Db<Database>,
  requests: readonly Requested[],
): Promise<ReadonlySet<string>> {
  const given = requests.map(({ id, channelId, videoId, artistName }) => ({
    ...{ id, channelId, videoId },
    artistKey: textKey(artistName),
  }))
  const { rows } = await sql<{ id: string }>`
    select g.id from json_to_recordset(${JSON.stringify(given)}::json)
      as g (id uuid, "channelId" text, "videoId" uuid, "artistKey" text)
    cross join lateral (
      select from exclusions e where e.channel_id = g."channelId" and e.video_id = g."videoId"
      union all
      select from exclusions e where e.channel_id = g."channelId" and e.artist_key = g."artistKey"
      limit 1
    ) as e`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The waiting requests of a channel that an exclusion is about. */
export async function waitingOf(
  db: Db<Database>,
  { channelId, videoId, artistKey }: Pick<Exclusion, 'channelId' | 'videoId' | 'artistKey'>,
): Promise<{ id: string; isPlanned: boolean }[]> {
  const waiting = await db
    .selectFrom('requests')
    .select(['id', 'videoId', 'artistName'])
    .select((eb) => eb('plannedAt', 'is not', null).$castTo<boolean>().as('isPlanned'))
    .where('channelId', '=', channelId)
    .where('state', '=', 'waiting')
    .execute()
  return waiting.filter((one) => one.videoId === videoId || textKey(one.artistName) === artistKey)
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

/** An exclusion of a channel; undefined if there is none. */
export const findExclusion = (
  db: Db<Database>,
  channelId: string,
  id: string,
): Promise<Exclusion | undefined> =>
  db
    .selectFrom('exclusions')
    .selectAll()
    .where('channelId', '=', channelId)
    .where('id', '=', id)
    .executeTakeFirst()

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
