import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '@looptide/runner/backing/programs'
import { unprivilegedAccount } from '@looptide/runner/backing/run-as'
import { type DatabaseOwner, databaseOwnerNames, databaseOwners } from '@looptide/runner/database/owners'
import {
  migrationUrl,
  ownerUrl,
  setUpDatabase,
  withClient,
  withDatabase,
} from '@looptide/runner/database/set-up'
import { freePort } from '@looptide/runner/ports/free-port'
import { type Backing, containerBacking, hasDocker, LocalProcess } from './backing.ts'
import type { SmallDisk } from './small-disk.ts'

/** Where one test run's Postgres is found: set by the global set-up, read by every test file. */
export const testPostgresVariable = 'TESTKIT_POSTGRES_URL'

/** The server of container tests. */
export const POSTGRES_IMAGE = 'postgres:17'

const templateDatabase = 'looptide_template'
const administrator = 'looptide'
const password = 'looptide-test'

export interface PostgresOptions {
  /** Where its data is, instead of the machine's disk. */
  disk?: SmallDisk | undefined
  /** Every commit on the disk before it is acknowledged, as on the air: for benchmarks, which may not flatter. */
  isDurable?: boolean
}

const common = ['max_connections=300', 'max_wal_size=2GB']
// A crash of the machine may cost a test run its database; a crash of Postgres alone still loses nothing.
const speed = ['fsync=off', 'full_page_writes=off']
/** Where there is little room: its journal of changes keeps 16 MB files, these many at most. */
const thrift = ['min_wal_size=32MB', 'max_wal_size=64MB']

/**
 * A database of this test file's own, as the runner sets one up: schemas, roles, extensions, no tables yet.
 *
 * @param server URL of a server that the test may stop; default: the shared server of the run
 */
export async function freshDatabase(server = process.env[testPostgresVariable]): Promise<{
  urlFor(service: DatabaseOwner): string
  /** As which its migrations run: the owner of its tables. */
  migrationUrlFor(service: DatabaseOwner): string
  adminUrl: string
  drop(): Promise<void>
}> {
  if (server === undefined) {
    throw new Error(
      'There is no test Postgres: run this file in the `integration` project (vitest run <path>).',
    )
  }
  const database = `test_${randomBytes(8).toString('hex')}`
  await withClient(server, async (client) => {
    await client.query(`CREATE DATABASE ${database} TEMPLATE ${templateDatabase}`)
    // Rights on the database itself are not copied from a template.
    await client.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`)
    for (const owner of databaseOwnerNames) {
      await client.query(`GRANT CONNECT, TEMPORARY ON DATABASE ${database} TO ${databaseOwners[owner].role}`)
    }
  })
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

/**
 * A Postgres server of one's own, with the template `freshDatabase` copies. Test files that stop or kill Postgres
 * start their own; all others share the run's.
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

/** A Postgres server of one's own with nothing in it. */
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
  return {
    url,
    kill: () => server.kill(),
    restart: () => server.restart(),
    revive: () => server.revive(),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
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
