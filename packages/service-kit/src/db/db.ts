import { promises as fs } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  type QueryExecutorProvider,
  sql,
  type Transaction,
} from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import type { Logger } from '../telemetry/logger.ts'
import { crossBridge, executeFile, type ServiceMigration } from './bridge.ts'
import { TimeoutEvictingPool } from './timeout-evicting-pool.ts'

/** A connection or a transaction: repositories accept both. */
export type Db<T> = Kysely<T> | Transaction<T>

// pg returns int8 as text by default. Our values (sequences, counters, epoch ms) stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

interface DbTimeouts {
  /** Statement timeout, in ms; null for none. */
  statementMs: number | null
  /** Longest wait for a connection, in ms. */
  connectMs: number
}
/** A statement may take as long as the gateway waits for a response. */
const SERVICE_TIMEOUTS: DbTimeouts = { statementMs: 10_000, connectMs: 3000 }
/**
 * For programs that run once, such as at the start of a station. No client waits for them, and Postgres may still be slow
 * just after its own start.
 */
export const PROGRAM_TIMEOUTS: DbTimeouts = { ...SERVICE_TIMEOUTS, connectMs: 30_000 }
/** For migrations, whose statements may take long. */
export const MIGRATION_TIMEOUTS: DbTimeouts = { ...PROGRAM_TIMEOUTS, statementMs: null }
/** Time after the statement timeout without a reply after which Postgres counts as unreachable, in ms. */
const REPLY_GRACE_MS = 2000

/**
 * Disables JIT compilation. `enable_*scan = off`, which the search uses, only raises a plan's estimated cost, and a high
 * cost triggers JIT. Compilation takes about 50 ms; our statements take milliseconds.
 */
const JIT_OPTION = '-c jit=off'

/**
 * Postgres ends the session of a client that is idle in a transaction for 8 s or whose machine is unreachable (TCP alone
 * would notice after two hours). Its locks are released then.
 */
const SILENT_CLIENT_OPTIONS = [
  '-c idle_in_transaction_session_timeout=8000',
  '-c tcp_keepalives_idle=5',
  '-c tcp_keepalives_interval=2',
  '-c tcp_keepalives_count=3',
  '-c tcp_user_timeout=10000',
].join(' ')

/** Session settings, for the connection option `options`. */
export const SESSION_OPTIONS = `${JIT_OPTION} ${SILENT_CLIENT_OPTIONS}`
/** Idle time before the operating system sends TCP keep-alive probes, in ms. */
export const KEEP_ALIVE_AFTER_MS = 5000

/**
 * Creates a connection pool that survives restarts of Postgres and network outages: broken and unresponsive connections
 * are closed, the next query opens a new one, and a query against an unreachable server fails within seconds.
 *
 * @param timeouts those that differ from a service's, as in {@link PROGRAM_TIMEOUTS}
 */
export function createDb<T>(
  url: string,
  logger: Logger,
  poolSize = 10,
  timeouts: Partial<DbTimeouts> = {},
): Kysely<T> {
  const { statementMs, connectMs } = { ...SERVICE_TIMEOUTS, ...timeouts }
  const pool = new pg.Pool({
    connectionString: url,
    options: SESSION_OPTIONS,
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    ...(statementMs === null
      ? {}
      : { statement_timeout: statementMs, query_timeout: statementMs + REPLY_GRACE_MS }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  })
  pool.on('error', (error) => logger.warn({ err: error }, 'idle database connection lost'))
  // The pool handles errors of idle connections only. Without this handler a connection that breaks between two queries
  // of a transaction would crash the process. The next query fails anyway.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.debug({ err: error }, 'database connection lost'))
  })
  return new Kysely<T>({
    dialect: new PostgresDialect({ pool: new TimeoutEvictingPool(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

const EVENT_TABLES = '20261127000000-event-tables'

/** The migration of the event tables and the service's migrations, by name. */
async function readMigrations(folder: string): Promise<Record<string, ServiceMigration>> {
  const found: Record<string, ServiceMigration> = {
    [EVENT_TABLES]: {
      up: (db) => executeFile(db, new URL(`migrations/${EVENT_TABLES}.sql`, import.meta.url)),
    },
  }
  const names = (await fs.readdir(folder)).filter((name) => /^\d{14}-[a-z0-9-]+\.[jt]s$/.test(name))
  for (const name of names) {
    found[name.slice(0, -3)] = (await import(pathToFileURL(path.join(folder, name)).href)) as ServiceMigration
  }
  return found
}

/**
 * Lock timeout of migrations. All later lock requests queue behind a waiting one, so a migration gives up before viewers
 * notice and is retried.
 */
const LOCK_TIMEOUT = '3s'
const LOCK_RETRY_MS = 50

/**
 * Migrates the schema while the service runs. Migrations run in the order of their names, each in its own transaction.
 * Safe to run repeatedly and concurrently. Throws if a lock cannot be acquired: retry then. Returns the names of the
 * migrations that ran.
 */
export async function migrate<T>(db: Kysely<T>, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder)
  return db.connection().execute(async (connection) => {
    await acquireMigrationLock(connection)
    try {
      await setTimeouts(connection, LOCK_TIMEOUT)
      const done = await upgradeEarlier(connection, migrations)
      const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => migrations } })
      for (;;) {
        const known = await migrator.getMigrations()
        const next = known.find(({ executedAt }) => executedAt === undefined)
        if (next === undefined) return done
        const disableTransactions = migrations[next.name]?.outsideTransaction === true
        // A concurrently built index waits for transactions without blocking others.
        await setTimeouts(connection, disableTransactions ? '0' : LOCK_TIMEOUT)
        const { error } = await migrator.migrateUp({ disableTransactions })
        if (error !== undefined) throw error
        done.push(next.name)
      }
    } finally {
      await sql`reset lock_timeout`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
      await sql`select pg_advisory_unlock(hashtext('migrations'))`.execute(connection)
    }
  })
}

/** Of all statements until they are reset. No statement is too long. */
async function setTimeouts(db: QueryExecutorProvider, lockTimeout: string): Promise<void> {
  await sql`select set_config('lock_timeout', ${lockTimeout}, false), set_config('statement_timeout', '0', false)`.execute(
    db,
  )
}

/** Brings a database from before the baseline to it. Returns the names of the baseline's migrations if it was one. */
async function upgradeEarlier<T>(
  db: Kysely<T>,
  migrations: Readonly<Record<string, ServiceMigration>>,
): Promise<string[]> {
  const [name, baseline] = Object.entries(migrations).find(([, { bridge }]) => bridge !== undefined) ?? []
  const eventTables = migrations[EVENT_TABLES]
  if (name === undefined || baseline?.bridge === undefined || eventTables === undefined) return []
  return crossBridge(db, baseline.bridge, { [name]: baseline, [EVENT_TABLES]: eventTables })
}

/**
 * Allows one migrating service at a time in the whole database, because the migrator's own lock covers all schemas. Polls
 * instead of waiting in a query: a concurrently built index waits for running queries, which would be a deadlock.
 */
async function acquireMigrationLock<T>(db: Kysely<T>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ isAcquired: boolean }>`
      select pg_try_advisory_lock(hashtext('migrations')) as is_acquired`.execute(db)
    if (rows[0]?.isAcquired === true) return
    await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS))
  }
}
