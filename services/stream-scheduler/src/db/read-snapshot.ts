import type { Kysely } from 'kysely'
import type { Database, Trx } from './schema.ts'

/** Reads in one transaction that writes nothing and sees the same state of the database in all its statements. */
export const readSnapshot = <T>(db: Kysely<Database>, read: (trx: Trx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
