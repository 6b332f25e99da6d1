import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Envelope, EventType } from '@looptide/contracts/events'
import { testKeys } from '@looptide/testkit/event-keys'
import { freshDatabase } from '@looptide/testkit/postgres'
import type { Generated, Kysely, Transaction } from 'kysely'
import { createDb, PROGRAM_TIMEOUTS } from '../src/db/db.ts'
import type { EventTables } from '../src/db/event-tables.ts'
import { newId } from '../src/db/ids.ts'
import { EventConsumers } from '../src/events/consumer.ts'
import { PgInbox } from '../src/events/inbox.ts'
import { jetstreamManager, type NatsConnection } from '../src/events/nats-client.ts'
import { OutboxRelay, type RelayDeps } from '../src/events/relay/outbox-relay.ts'
import type { EventHandlers, RetryDelays } from '../src/events/stream-consumer.ts'
import { provisionStreams } from '../src/events/streams.ts'
import { createLogger } from '../src/telemetry/logger.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'
import { inherited } from './config.ts'

export interface NotesDb extends EventTables {
  notes: { id: string; text: string }
  steps: { seq: Generated<number>; note: string; version: number }
}
export const logger = createLogger('test', 'silent')
const migrations = fileURLToPath(new URL('migrations', import.meta.url))
const shortDelays: RetryDelays = { faultMs: () => 20, outageMs: 100 }

/** A database with the tables of service-kit, and the tables `notes` and `steps`. */
export async function notesDatabase(server?: string) {
  const database = await freshDatabase(server, { owner: 'chat', migrations })
  const url = database.urlFor('chat')
  const db = createDb<NotesDb>(url, logger, undefined, PROGRAM_TIMEOUTS)
  return {
    url,
    adminUrl: database.adminUrl,
    db,
    drop: async () => {
      await db.destroy()
      await database.drop()
    },
  }
}

export const relayFor = (
  databaseUrl: string,
  db: Kysely<NotesDb>,
  nats: NatsConnection,
  pollMs?: number,
  limits: Pick<RelayDeps, 'retentionMs' | 'deniedMs' | 'aheadMs'> = {},
) =>
  new OutboxRelay({
    databaseUrl,
    db: db as unknown as Kysely<EventTables>,
    nats,
    logger,
    metrics: createMetrics('test'),
    keys: testKeys('stream'),
    pollMs,
    ...limits,
  })

export const consumersFor = (
  db: Kysely<NotesDb>,
  nats: NatsConnection,
  handlers: EventHandlers<Transaction<NotesDb>>,
  afterApply?: (envelope: Envelope) => void,
  service = 'notes',
  metrics = createMetrics('test'),
) =>
  new EventConsumers<Transaction<NotesDb>>({
    service,
    nats,
    inbox: new PgInbox(db),
    handlers,
    logger,
    metrics,
    keys: testKeys(null),
    afterApply,
    retry: shortDelays,
  })

/** Creates the station's streams, and the consumers of `service` for these events. */
export async function provisionFor(
  nats: NatsConnection,
  consumes: readonly EventType[],
  service = 'notes',
): Promise<void> {
  await provisionStreams(await jetstreamManager(nats), { subscriptions: { [service]: { consumes } } })
}

/** An event as the scheduler publishes it; `channelId` is also the aggregate id. */
export const channelDeleted = (
  channelId: string,
  aggregateVersion = 1,
): Envelope<'stream.channel.deleted.v1'> => ({
  id: newId(),
  type: 'stream.channel.deleted.v1',
  occurredAt: new Date().toISOString(),
  actorId: null,
  correlationId: null,
  aggregateId: channelId,
  aggregateVersion,
  data: { channelId },
})

/** Runs a program of this folder as a child process, which a test can kill. */
export function run(script: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

export const exited = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })
