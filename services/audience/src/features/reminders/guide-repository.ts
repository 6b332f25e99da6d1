import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** Time for which one replica reads the guide of a channel alone, in ms. */
const LEASE_MS = 10_000

/** Stores that a channel has reminders, whose guide is then read at once. */
export async function followChannel(
  trx: Transaction<Database>,
  { channelId, name, now }: { channelId: string; name: string; now: Date },
): Promise<void> {
  await sql`
    insert into reminder_channels as known (channel_id, name, refresh_at) values (${channelId}, ${name}, ${now})
    on conflict (channel_id) do update set name = excluded.name, refresh_at = least(known.refresh_at, excluded.refresh_at)`.execute(
    trx,
  )
}

/** Stores that the guide of a channel has changed, if the channel has reminders. `version`: that of the timeline, if it is known. */
export async function guideChanged(
  trx: Transaction<Database>,
  { channelId, version = 0, now }: { channelId: string; version?: number; now: Date },
): Promise<void> {
  await sql`update reminder_channels
    set refresh_at = ${now}, wanted_version = greatest(wanted_version, ${version})
    where channel_id = ${channelId}`.execute(trx)
}

/** Takes channels whose guide is to be read: no other replica takes them for some seconds. */
export async function takeStaleGuides(
  db: Db<Database>,
  nowMs: number,
  limit: number,
): Promise<{ channelId: string; refreshAt: Date }[]> {
  const { rows } = await sql<{ channelId: string; refreshAt: Date }>`
    update reminder_channels set refresh_at = ${new Date(nowMs + LEASE_MS)}
    where channel_id = any(array(
      select channel_id from reminder_channels where refresh_at <= ${new Date(nowMs)}
      order by refresh_at limit ${limit} for update skip locked))
    returning channel_id, refresh_at`.execute(db)
  return rows
}

/** Locks a channel. False if it is not followed, or a newer version of its guide was applied. */
export async function lockGuide(
  trx: Transaction<Database>,
  { channelId, version }: { channelId: string; version: number },
): Promise<boolean> {
  const row = await trx
    .selectFrom('reminderChannels')
    .select('knownVersion')
    .where('channelId', '=', channelId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined && row.knownVersion <= version
}

/**
 * Stores that a version of a channel's guide was applied, and when it is read next: at once if it was not the wanted one, or
 * if it has changed since it was taken.
 */
export async function saveGuide(
  trx: Transaction<Database>,
  applied: { channelId: string; name: string; version: number; takenAt: Date; now: Date; next: Date },
): Promise<void> {
  const { channelId, name, version, takenAt, now, next } = applied
  await sql`update reminder_channels set name = ${name}, known_version = ${version},
    refresh_at = case when refresh_at = ${takenAt} and wanted_version <= ${version}
      then ${next}::timestamptz else ${now}::timestamptz end
    where channel_id = ${channelId}`.execute(trx)
}

/** Follows a deleted channel no longer. */
export async function forgetGuide(db: Db<Database>, channelId: string): Promise<void> {
  await db.deleteFrom('reminderChannels').where('channelId', '=', channelId).execute()
}
