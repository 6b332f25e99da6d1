import { WordEntry } from '@looptide/contracts/http/word-list'
import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import { Check } from 'typebox/value'
import type { Database } from '../../db/schema.ts'

/** The word list, and how often it was changed. */
export interface StoredWordList {
  entries: readonly WordEntry[]
  version: number
}

/**
 * The word list; empty before it is first saved. `unreadable`: number of stored values that are no entries, after the row
 * was changed by another program.
 */
export async function findWordList(db: Db<Database>): Promise<StoredWordList & { unreadable: number }> {
  const row = await db.selectFrom('wordList').select(['entries', 'version']).executeTakeFirst()
  const stored: readonly unknown[] = Array.isArray(row?.entries)
    ? row.entries
    : row === undefined
      ? []
      : [row.entries]
  const entries = stored.filter((value): value is WordEntry => Check(WordEntry, value))
  return { entries, unreadable: stored.length - entries.length, version: row?.version ?? 0 }
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
