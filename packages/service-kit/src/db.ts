import { promises as fs } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import pg from 'pg'
import type { Logger } from './logger.ts'
import * as eventTables from './migrations/20261120000000-event-tables.ts'
import * as traceParent from './migrations/20261121125500-trace-parent.ts'

/** Either a connection or a transaction: repositories take what they are given. */
export type Db<T> = Kysely<T> | Transaction<T>

// int8 comes as text by default; ours (sequences, counters, epoch ms) stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * A pool that outlives a restart of Postgres: broken connections are thrown away, the next query
 * opens a new one, and a query against an absent server fails within seconds.
 */
export function createDb<T>(url: string, logger: Logger, poolSize = 10): Kysely<T> {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    keepAlive: true,
  })
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection broke'))
  // The pool listens only to idle connections: one that breaks between two queries of a transaction would
  // end the process. Its next query fails, which is answer enough.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.debug({ err: error }, 'a database connection broke'))
  })
  return new Kysely<T>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** The kit's own migrations and the service's files, run in the order of their names. */
class ServiceMigrations implements MigrationProvider {
  readonly #folder: string
  constructor(folder: string) {
    this.#folder = folder
  }
  async getMigrations(): Promise<Record<string, Migration>> {
    const found: Record<string, Migration> = {
      '20261120000000-event-tables': eventTables,
      '20261121125500-trace-parent': traceParent,
    }
    const names = (await fs.readdir(this.#folder)).filter((name) => /^\d{14}-[a-z0-9-]+\.ts$/.test(name))
    for (const name of names.sort()) {
      found[name.slice(0, -3)] = (await import(
        pathToFileURL(path.join(this.#folder, name)).href
      )) as Migration
    }
    return found
  }
}

/** Brings the schema up to date. Safe to run twice and side by side: Kysely holds a lock meanwhile. */
export async function migrate<T>(db: Kysely<T>, folder: string): Promise<string[]> {
  const migrator = new Migrator({ db, provider: new ServiceMigrations(folder) })
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  return (results ?? []).map((result) => result.migrationName)
}
