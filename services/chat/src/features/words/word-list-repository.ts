import type { WordEntry } from '@looptide/contracts/http/word-list'
import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** The word list, and how often it was changed. */
export interface StoredWordList {
  entries: readonly WordEntry[]
  version: number
}

/** The word list; empty before it is first saved. */
export async function findWordList(db: Db<Database>): Promise<StoredWordList> {
  const row = await db.selectFrom('wordList').select(['entries', 'version']).executeTakeFirst()
  return row ?? { entries: [], version: 0 }
}

/** Serialises changes of the list until the transaction ends. */
export async function lockWordList(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('word list'), 0)`.execute(trx)
}

/** Replaces the only row. */
export async function saveWordList(
  trx: Transaction<Database>,
  { entries, version }: StoredWordList,
): Promise<void> {
  const row = { entries: JSON.stringify(entries), version }
  await trx
    .insertInto('wordList')
    .values(row)
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(row))
    .execute()
}
