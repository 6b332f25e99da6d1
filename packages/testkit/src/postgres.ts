import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chown, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DatabaseOwner, databaseOwnerNames, databaseOwners } from '@looptide/backing/database/owners'
import {
  migrationUrl,
  ownerUrl,
  setUpDatabase,
  withClient,
  withDatabase,
} from '@looptide/backing/database/set-up'
import { freePort } from '@looptide/backing/free-port'
import { findProgram } from '@looptide/backing/programs/programs'
import { unprivilegedAccount } from '@looptide/backing/programs/run-as'
import { createDb, MIGRATION_TIMEOUTS, migrate } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { type Backing, containerBacking, hasDocker, LocalProcess, localBacking } from './backing.ts'
import type { SmallDisk } from './small-disk.ts'

/** Variable with the URL of the test run's Postgres: set by the global set-up, read by every test file. */
export const testPostgresVariable = 'TESTKIT_POSTGRES_URL'

/** Image of the server for container tests. */
export const POSTGRES_IMAGE = 'postgres:17'

const templateDatabase = 'looptide_template'
const administrator = 'looptide'
const password = 'looptide-test'

export interface PostgresOptions {
  /** Stores its data, instead of the machine's disk. */
  disk?: SmallDisk | undefined
  /** Syncs every commit before it is acknowledged, as in production. For benchmarks. */
  isDurable?: boolean
}

const common = ['max_connections=300', 'max_wal_size=2GB']
// Without fsync, a crash of the machine can lose data. A crash of Postgres alone loses nothing.
const speed = ['fsync=off', 'full_page_writes=off']
/** Maximum number of 16 MB WAL segments on a small disk. */
const thrift = ['min_wal_size=32MB', 'max_wal_size=64MB']

/** A service's tables: its role, and the folder of its migrations. */
export interface ServiceTables {
  owner: DatabaseOwner
  migrations: string
}

export interface FreshDatabase {
  urlFor(service: DatabaseOwner): string
  /** Role that runs the migrations: the owner of the tables. */
  migrationUrlFor(service: DatabaseOwner): string
  adminUrl: string
  drop(): Promise<void>
}

/**
 * A database for one test file, as set up by the runner: schemas, roles and extensions.
 *
 * @param server URL of a server that the test may stop; default: the shared server of the run
 * @param tables the service whose tables it has; default: no tables. A server migrates them once and then copies them,
 *   because the migrations of a service take longer than most tests.
 */
export async function freshDatabase(
  server = process.env[testPostgresVariable],
  tables?: ServiceTables,
): Promise<FreshDatabase> {
  if (server === undefined) {
    throw new Error(
      'There is no test Postgres: run this file in the `integration` project (vitest run <path>).',
    )
  }
  const template = tables === undefined ? templateDatabase : await migratedTemplate(server, tables)
  const database = `test_${randomBytes(8).toString('hex')}`
  await createDatabase(server, database, template)
  return {
    urlFor: (service) => ownerUrl(server, database, service, password),
    migrationUrlFor: (service) => migrationUrl(server, database, service, password),
    adminUrl: withDatabase(server, database),
    drop: () =>
      withClient(server, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
      }),
  }
}

async function createDatabase(server: string, database: string, template: string): Promise<void> {
  await withClient(server, async (client) => {
    await client.query(`CREATE DATABASE ${database} TEMPLATE ${template}`)
    // Privileges on the database itself are not copied from a template.
    await client.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`)
    for (const owner of databaseOwnerNames) {
      await client.query(`GRANT CONNECT, TEMPORARY ON DATABASE ${database} TO ${databaseOwners[owner].role}`)
    }
  })
}

/** Name of the database with the service's tables; the first caller of all test processes migrates it. */
async function migratedTemplate(server: string, { owner, migrations }: ServiceTables): Promise<string> {
  const folder = createHash('sha256').update(migrations).digest('hex').slice(0, 12)
  const name = `${templateDatabase}_${owner}_${folder}`
  await withClient(server, async (client) => {
    // Held by the session, so that a test process that is killed releases it.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name])
    const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rows.length > 0) return
    const draft = `${name}_draft`
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
    await createDatabase(server, draft, templateDatabase)
    const db = createDb(
      migrationUrl(server, draft, owner, password),
      createLogger('test', 'warn'),
      1,
      MIGRATION_TIMEOUTS,
    )
    try {
      await migrate(db, migrations)
    } finally {
      await db.destroy()
    }
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`)
  })
  return name
}

/**
 * A separate Postgres server with the template that `freshDatabase` copies. Test files that stop or kill Postgres start
 * their own. All others share the server of the test run.
 */
export async function startPostgres(options: Pick<PostgresOptions, 'isDurable'> = {}): Promise<Backing> {
  const backing = await startBarePostgres(options)
  const passwords = Object.fromEntries(databaseOwnerNames.map((owner) => [owner, password]))
  await setUpDatabase({
    adminUrl: backing.url,
    database: templateDatabase,
    passwords: passwords as Record<DatabaseOwner, string>,
  })
  return backing
}

/** A separate, empty Postgres server. */
export function startBarePostgres(options: PostgresOptions = {}): Promise<Backing> {
  return hasDocker() && options.disk === undefined ? startInContainer(options) : startLocally(options)
}

const settingsOf = ({ isDurable = false }: PostgresOptions): string[] =>
  isDurable ? common : [...common, ...speed]

async function startLocally(options: PostgresOptions): Promise<Backing> {
  const { disk } = options
  const initdb = findProgram('initdb')
  if (initdb === undefined) {
    throw new Error('Postgres is not on this machine: run `npm test` once, it fetches what tests need.')
  }
  const account = unprivilegedAccount()
  const folder = disk?.folder ?? (await mkdtemp(join(tmpdir(), 'looptide-postgres-')))
  if (account !== undefined && disk === undefined) await chown(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const settled = ['--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  const [command = '', ...args] = [...(disk?.enter ?? []), initdb.path]
  execFileSync(command, [...args, '-D', data, '-U', administrator, ...settled], {
    stdio: 'pipe',
    cwd: '/',
    ...(account === undefined || disk !== undefined ? {} : { uid: account.uid, gid: account.gid }),
  })
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    ...settingsOf(options),
    ...(disk === undefined ? [] : thrift),
  ]
  const url = `postgres://${administrator}:${password}@127.0.0.1:${port}/postgres`
  const server = new LocalProcess({
    program: 'postgres',
    args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    port,
    account,
    enter: disk?.enter,
    stopSignal: 'SIGINT',
    ready: () => answers(url),
  })
  await server.start()
  return localBacking(server, url, folder)
}

async function startInContainer(options: PostgresOptions): Promise<Backing> {
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql')
  const port = await freePort()
  const container = await new PostgreSqlContainer(POSTGRES_IMAGE)
    .withUsername(administrator)
    .withPassword(password)
    .withDatabase('postgres')
    .withExposedPorts({ container: 5432, host: port })
    .withCommand(['postgres', ...settingsOf(options).flatMap((setting) => ['-c', setting])])
    .start()
  const url = `postgres://${administrator}:${password}@127.0.0.1:${port}/postgres`
  return containerBacking(container, port, url, () => answers(url))
}

async function answers(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('SELECT 1')
  })
}
