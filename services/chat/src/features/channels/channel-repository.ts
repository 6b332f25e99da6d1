import type { Db } from '@looptide/service-kit/db'
import { sql, type Transaction } from 'kysely'
import type { ChatDb } from '../../db/schema.ts'

/** The number of the channel's newest message, and its slow mode; null for a channel that is not there. */
export async function stateOf(
  db: Db<ChatDb>,
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

export async function setSlowMode(
  trx: Transaction<ChatDb>,
  channelId: string,
  slowModeS: number,
): Promise<void> {
  await trx.updateTable('channels').set({ slowModeS }).where('id', '=', channelId).execute()
}

/** Takes the scheduler's word, unless a newer one was heard. The counter goes on where it was. */
export async function projectChannel(
  trx: Transaction<ChatDb>,
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
