import { readFile } from 'node:fs/promises'
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The commits whose databases become one of the baseline. The last one's tables are those of the baseline. */
type EarlierState = 'e643dcf' | 'a1f7ac93' | '17e9159a'

/** Leads from the migrations before the baseline to it (docs/decisions/0094). */
export interface Bridge {
  /** The state of a database, by the newest migration that it has run. */
  states: Readonly<Record<string, EarlierState>>
  /** Statements before the baseline's, which create what is missing: columns, constraints, what is dropped. */
  alter: string
  /** Converts the rows, after the baseline. */
  convert?: (trx: QueryExecutorProvider, from: EarlierState) => Promise<void>
}

export type ServiceMigration = Migration & {
  /** Cannot run in a transaction (a concurrently built index) and must be safe to run again. */
  outsideTransaction?: true
  /** Of the baseline, whose statements then change nothing that exists. */
  bridge?: Bridge
}

/** Runs the statements of a file. */
export async function executeFile(db: QueryExecutorProvider, file: URL): Promise<void> {
  await sql.raw(await readFile(file, 'utf8')).execute(db)
}

/**
 * Brings a database from before the baseline to it, in one transaction, and records the baseline instead of the earlier
 * migrations. Returns the names that are recorded; none for a new database, and for one that has the baseline.
 *
 * @param base the migrations of the baseline and of the event tables, by name
 * @throws Error for a state that is not in `bridge.states`
 */
export async function crossBridge<T>(
  db: Kysely<T>,
  bridge: Bridge,
  base: Readonly<Record<string, ServiceMigration>>,
): Promise<string[]> {
  const names = Object.keys(base)
  const newest = await findNewestEarlier(db, names)
  if (newest === undefined) return []
  const from = bridge.states[newest]
  if (from === undefined)
    throw new Error(
      `The newest migration of this database is ${newest}. This version can upgrade databases of the commits e643dcf, a1f7ac93 and 17e9159a. Run the migrations of 17e9159a first.`,
    )
  await db.transaction().execute(async (trx) => {
    if (from !== '17e9159a') {
      await sql`alter table outbox add column if not exists written_at timestamptz not null default now()`.execute(
        trx,
      )
      await sql.raw(bridge.alter).execute(trx)
      for (const { up } of Object.values(base)) await up(trx)
      await bridge.convert?.(trx, from)
    }
    // With an earlier time, since the migrator expects the order of names, and later migrations may have run.
    await sql`
      insert into kysely_migration (name, timestamp)
      select unnest(${names}::text[]), min(timestamp) from kysely_migration`.execute(trx)
    await sql`delete from kysely_migration where name collate "C" <= ${newest}`.execute(trx)
  })
  return names
}

/** The name of the newest migration before those of `base`; undefined if there is none. */
async function findNewestEarlier(
  db: QueryExecutorProvider,
  base: readonly string[],
): Promise<string | undefined> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (tables[0]?.exists !== true) return undefined
  const { rows } = await sql<{ newest: string | null }>`
    select max(name collate "C") as newest from kysely_migration
    where name collate "C" < ${base.toSorted()[0]}`.execute(db)
  return rows[0]?.newest ?? undefined
}
