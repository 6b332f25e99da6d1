import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** The sequence number of the channel's last message, and its slow mode; null for an unknown or deleted channel. */
export async function findChannelState(
  db: Db<Database>,
  channelId: string,
): Promise<{ lastSeq: number; slowModeS: number } | null> {
  const row = await db
    .selectFrom('channels')
    .select(['lastSeq', 'slowModeS'])
    .where('id', '=', channelId)
    .where('isDeleted', '=', false)
    .executeTakeFirst()
  return row ?? null
}

/** Sets the minimum time between two messages of a viewer, in seconds; 0 turns it off. */
export async function setSlowMode(
  trx: Transaction<Database>,
  channelId: string,
  slowModeS: number,
): Promise<void> {
  await trx.updateTable('channels').set({ slowModeS }).where('id', '=', channelId).execute()
}

/** Applies a channel event unless a newer one has been applied. The message counter is kept. */
export async function projectChannel(
  trx: Transaction<Database>,
  channel: { id: string; isDeleted: boolean; version: number },
): Promise<void> {
  await trx
    .insertInto('channels')
    .values(channel)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ isDeleted: channel.isDeleted, version: channel.version })
        .where('channels.version', '<', sql<number>`excluded.version`),
    )
    .execute()
}
