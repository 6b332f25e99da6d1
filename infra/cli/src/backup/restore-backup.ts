import { join } from 'node:path'
import {
  type DatabaseOwner,
  databaseOwnerNames,
  databaseOwners,
  type RolePasswords,
} from '@looptide/backing/database/owners'
import { setUpDatabase, withClient } from '@looptide/backing/database/set-up'
import type { Envelope } from '@looptide/contracts/events'
import { SIGNATURE_HEADER } from '@looptide/service-kit/events/event-keys'
import {
  headers,
  jetstream,
  jetstreamManager,
  type NatsConnection,
} from '@looptide/service-kit/events/nats-client'
import { provisionStreams } from '@looptide/service-kit/events/streams'
import type pg from 'pg'
import { count } from '../count.ts'
import { fault, usageError } from '../exit-codes.ts'
import { DUMP_FILE, EVENTS_FILE, readLines, type UnpackedBackup } from './archive.ts'
import { endAccess, forgetSecret } from './end-access.ts'
import { readLastSeq } from './moment.ts'
import { connectToStreams, type NatsSettings } from './nats-access.ts'
import { fill, schemas } from './postgres-tools.ts'
import { fromLine, type StoredEvent } from './undelivered.ts'

/** Target of a restore. */
export interface RestoreTarget extends NatsSettings {
  /** The administrator's URL of the database, which is created if it does not exist. */
  databaseUrl: string
  databasePasswords: Partial<Record<DatabaseOwner, string>>
  /** Empties NATS's store; undefined if the operator must do it. */
  emptyNats?: () => Promise<void>
  /**
   * Keep the sessions of the backup, and whatever else {@link endAccess} ends. Otherwise all end, because those that were
   * revoked since would be valid again.
   */
  keepSessions?: boolean
  /** The secret of the backup is lost: what only that one decrypts is deleted. */
  hasNewSecret?: boolean
}

const roles = databaseOwnerNames.map((owner) => databaseOwners[owner].role)
const ASIDE = '_before_restore'

/**
 * Restores a backup: completely, or nothing of the database. The services must be stopped, and the station must have the
 * secret of the backup (`requireSecret`). `confirm` is called before existing data is replaced, and throws to refuse.
 */
export async function restoreBackup(
  { folder }: UnpackedBackup,
  target: RestoreTarget,
  confirm: (what: string) => Promise<void>,
): Promise<void> {
  await setUp(target)
  await requireStopped(target.databaseUrl)
  await makeRoom(target, confirm)
  await replaceSchemas(target, join(folder, DUMP_FILE))
  const lines = await readLines<StoredEvent | Envelope>(join(folder, EVENTS_FILE))
  await publish(target, lines.map(fromLine))
}

const setUp = async ({ databaseUrl, databasePasswords }: RestoreTarget): Promise<string> =>
  setUpDatabase({
    adminUrl: serverUrl(databaseUrl),
    database: databaseOf(databaseUrl),
    passwords: allPasswords(databasePasswords),
  })

/** The server's default database: the station's may not exist yet. */
function serverUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.pathname = '/postgres'
  return url.href
}

const databaseOf = (databaseUrl: string): string =>
  decodeURIComponent(new URL(databaseUrl).pathname.slice(1)) || 'looptide'

function allPasswords(given: Partial<Record<DatabaseOwner, string>>): RolePasswords {
  const missing = databaseOwnerNames.filter((owner) => owner !== 'audience' && given[owner] === undefined)
  if (missing.length > 0) {
    const variables = missing.map((owner) => `DATABASE_PASSWORD_${owner.toUpperCase()}`)
    throw usageError(`Set ${variables.join(', ')}.`)
  }
  return given as RolePasswords
}

/** A running service would write its outdated state over the restored data. */
async function requireStopped(databaseUrl: string): Promise<void> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ role: string }>(
      'SELECT DISTINCT usename AS role FROM pg_stat_activity WHERE datname = current_database() AND usename = ANY($1)',
      [roles],
    ),
  )
  if (rows.length > 0) {
    throw fault(
      `Stop the services first: ${rows.map(({ role }) => role).join(', ')} are connected to the database.`,
    )
  }
}

/** Existing tables may be replaced after confirmation. Existing events may not stay: consumers would apply them. */
async function makeRoom(target: RestoreTarget, confirm: (what: string) => Promise<void>): Promise<void> {
  const { rows } = await withClient(target.databaseUrl, (client) =>
    client.query<{ tables: number }>(
      'SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = ANY($1)',
      [schemas],
    ),
  )
  const tables = rows[0]?.tables ?? 0
  const events = await countEvents(target)
  if (tables > 0) await confirm(`This replaces the data of the database (${count(tables, 'table')}).`)
  if (events === 0) return
  if (target.emptyNats === undefined) {
    throw fault(
      `NATS contains ${events} events that are not part of the backup: empty its store first (docs/operations.md, "Restore").`,
    )
  }
  if (tables === 0) await confirm(`This deletes ${count(events, 'event')} from NATS.`)
  await target.emptyNats()
}

async function countEvents(target: RestoreTarget): Promise<number> {
  return withNats(target, async (nats) => {
    const lastSeq = await readLastSeq(await jetstreamManager(nats))
    return Object.values(lastSeq).reduce((sum, seq) => sum + seq, 0)
  })
}

async function withNats<T>(settings: NatsSettings, work: (nats: NatsConnection) => Promise<T>): Promise<T> {
  const nats = await connectToStreams(settings)
  try {
    return await work(nats)
  } finally {
    await nats.close()
  }
}

/** Existing schemas are set aside until the backup is restored, and put back when it fails. */
async function replaceSchemas(target: RestoreTarget, dumpPath: string): Promise<void> {
  const { databaseUrl } = target
  await alter(databaseUrl, (schema) => [
    `DROP SCHEMA IF EXISTS ${schema}${ASIDE} CASCADE`,
    `ALTER SCHEMA ${schema} RENAME TO ${schema}${ASIDE}`,
  ])
  try {
    await setUp(target)
    await fill(databaseUrl, dumpPath)
    if (target.keepSessions !== true) await endAccess(databaseUrl)
    if (target.hasNewSecret === true) await forgetSecret(databaseUrl)
  } catch (error) {
    await alter(databaseUrl, (schema) => [
      `DROP SCHEMA IF EXISTS ${schema} CASCADE`,
      `ALTER SCHEMA ${schema}${ASIDE} RENAME TO ${schema}`,
    ])
    throw error
  }
  await alter(databaseUrl, (schema) => [`DROP SCHEMA ${schema}${ASIDE} CASCADE`])
  // A dump contains no statistics. Without them the first searches get bad plans.
  await withClient(databaseUrl, (client) => client.query('ANALYZE'))
}

/** Runs a statement for every schema, in one transaction. */
async function alter(databaseUrl: string, statements: (schema: string) => string[]): Promise<void> {
  await withClient(databaseUrl, async (client: pg.Client) => {
    await client.query('BEGIN')
    for (const schema of schemas) {
      for (const statement of statements(schema)) await client.query(statement)
    }
    await client.query('COMMIT')
  })
}

/** Publishes the unconsumed events again. A consumer that has applied one skips it because of its inbox. */
async function publish(target: RestoreTarget, events: readonly StoredEvent[]): Promise<void> {
  await withNats(target, async (nats) => {
    await provisionStreams(await jetstreamManager(nats))
    for (const { id, subject, body, signature } of events) {
      const meta = headers()
      if (signature !== null) meta.set(SIGNATURE_HEADER, signature)
      await jetstream(nats).publish(subject, body, { msgID: id, headers: meta })
    }
  })
}
