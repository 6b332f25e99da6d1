import { promises as fs } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { CamelCasePlugin, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import type { Logger } from './logger.ts'
import * as eventTables from './migrations/20261120000000-event-tables.ts'
import * as traceParent from './migrations/20261121125500-trace-parent.ts'
import * as relayLease from './migrations/20261122090100-relay-lease.ts'
import { TimeoutEvictingPool } from './timeout-evicting-pool.ts'

/** Either a connection or a transaction: repositories take what they are given. */
export type Db<T> = Kysely<T> | Transaction<T>

// int8 comes as text by default; ours (sequences, counters, epoch ms) stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Postgres ends a statement that takes longer than this (ms): as long as the gateway waits for an answer. */
const STATEMENT_TIMEOUT_MS = 10_000
/** Whoever has not answered so much later (ms) is not there: Postgres would have ended the statement. */
const SILENCE_MS = 2000

/**
 * Our statements take milliseconds; Postgres's compiler (`jit`, on unless told) takes fifty of them for a plan that it thinks dear,
 * as it does where a search forbids it to walk the table.
 */
const JIT_OPTION = '-c jit=off'

/**
 * Postgres ends a session whose client has stopped answering: one that is silent for 8 s in the middle of a transaction,
 * and one whose machine is gone, of which TCP alone would tell after two hours. Locks do not outlive their holder.
 */
const SILENT_CLIENT_OPTIONS = [
  '-c idle_in_transaction_session_timeout=8000',
  '-c tcp_keepalives_idle=5',
  '-c tcp_keepalives_interval=2',
  '-c tcp_keepalives_count=3',
  '-c tcp_user_timeout=10000',
].join(' ')

/** Settings of each of our database sessions, for the connection option `options`. */
export const SESSION_OPTIONS = `${JIT_OPTION} ${SILENT_CLIENT_OPTIONS}`
/** How long a connection is silent before the operating system asks whether the server is there (ms). */
export const KEEP_ALIVE_AFTER_MS = 5000

/**
 * A pool that outlives a restart of Postgres and a cut of the network: broken and silent connections are thrown away,
 * the next query opens a new one, and a query against an absent server fails within seconds.
 *
 * @param statementMs how long a statement may take; null where it takes as long as it takes, as in a migration
 */
export function createDb<T>(
  url: string,
  logger: Logger,
  poolSize = 10,
  statementMs: number | null = STATEMENT_TIMEOUT_MS,
): Kysely<T> {
  const pool = new pg.Pool({
    connectionString: url,
    options: SESSION_OPTIONS,
    max: poolSize,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    ...(statementMs === null
      ? {}
      : { statement_timeout: statementMs, query_timeout: statementMs + SILENCE_MS }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  })
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection broke'))
  // The pool listens only to idle connections: one that breaks between two queries of a transaction would
  // end the process. Its next query fails, which is answer enough.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.debug({ err: error }, 'a database connection broke'))
  })
  return new Kysely<T>({
    dialect: new PostgresDialect({ pool: new TimeoutEvictingPool(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** One that cannot run in a transaction says so (an index made concurrently); it must bear being run again. */
type ServiceMigration = Migration & { outsideTransaction?: true }

/** The kit's own migrations and the service's files, by their names. */
async function readMigrations(folder: string): Promise<Record<string, ServiceMigration>> {
  const found: Record<string, ServiceMigration> = {
    '20261120000000-event-tables': eventTables,
    '20261121125500-trace-parent': traceParent,
    '20261122090100-relay-lease': relayLease,
  }
  const names = (await fs.readdir(folder)).filter((name) => /^\d{14}-[a-z0-9-]+\.[jt]s$/.test(name))
  for (const name of names) {
    found[name.slice(0, -3)] = (await import(pathToFileURL(path.join(folder, name)).href)) as ServiceMigration
  }
  return found
}

/**
 * Whoever wants a lock that a busy transaction holds makes all others queue behind them: a migration gives up
 * before viewers notice, and is tried again.
 */
const LOCK_TIMEOUT = '3s'
const TURN_MS = 50

/**
 * Brings the schema up to date while the service runs, one migration after another in the order of their names, each
 * in its own transaction. Safe to run twice and side by side. Throws when a lock cannot be had: try again.
 */
export async function migrate<T>(db: Kysely<T>, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder)
  return db.connection().execute(async (own) => {
    await takeTurn(own)
    try {
      const migrator = new Migrator({ db: own, provider: { getMigrations: async () => migrations } })
      const done: string[] = []
      for (;;) {
        const known = await migrator.getMigrations()
        const next = known.find(({ executedAt }) => executedAt === undefined)
        if (next === undefined) return done
        const disableTransactions = migrations[next.name]?.outsideTransaction === true
        // An index made concurrently waits for transactions, and keeps nobody waiting meanwhile.
        const patience = disableTransactions ? '0' : LOCK_TIMEOUT
        await sql`select set_config('lock_timeout', ${patience}, false), set_config('statement_timeout', '0', false)`.execute(
          own,
        )
        const { error } = await migrator.migrateUp({ disableTransactions })
        if (error !== undefined) throw error
        done.push(next.name)
      }
    } finally {
      await sql`reset lock_timeout`.execute(own)
      await sql`reset statement_timeout`.execute(own)
      await sql`select pg_advisory_unlock(hashtext('migrations'))`.execute(own)
    }
  })
}

/**
 * One at a time in the whole database: the migrator's own lock is one for all schemas. Asked for again and again, since
 * who waits in a query is waited for by an index made concurrently, and would wait for that index's service in turn.
 */
async function takeTurn<T>(db: Kysely<T>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_lock(hashtext('migrations')) as mine`.execute(db)
    if (rows[0]?.mine === true) return
    await new Promise((resolve) => setTimeout(resolve, TURN_MS))
  }
}
