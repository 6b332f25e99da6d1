import { DEFAULT_EMBED_SETTINGS, type EmbedSettings } from '@looptide/contracts/http/embeds'
import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** The settings in use, and how often they were changed. */
export async function findEmbedSettings(
  db: Db<Database>,
): Promise<{ settings: EmbedSettings; version: number }> {
  const row = await db.selectFrom('embedSettings').select(['origins', 'version']).executeTakeFirst()
  if (row === undefined) return { settings: DEFAULT_EMBED_SETTINGS, version: 0 }
  return { settings: { origins: row.origins }, version: row.version }
}

/** Serialises changes of the settings until the transaction ends. */
export async function lockEmbedSettings(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('embeds'), 0)`.execute(trx)
}

/** Replaces the only row. */
export async function saveEmbedSettings(
  trx: Transaction<Database>,
  row: EmbedSettings & { version: number },
): Promise<void> {
  await trx
    .insertInto('embedSettings')
    .values(row)
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(row))
    .execute()
}
