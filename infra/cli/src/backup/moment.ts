import { databaseOwnerNames, databaseOwners } from '@looptide/backing/database/owners'
import { STREAMS } from '@looptide/contracts/events'
import type { JetStreamManager } from '@looptide/service-kit/events/nats-client'
import { ignoreNotFound } from '@looptide/service-kit/events/streams'
import pg from 'pg'

/** The last message of each stream, by stream name. */
export type SeqOfStream = Record<string, number>

/** One instant of the whole station: a database snapshot and the positions of the event streams. */
export interface Moment {
  /** For `pg_dump --snapshot`; valid until `release`. */
  snapshotId: string
  /** The last message of each stream that belongs to the instant; 0 for an empty or missing stream. */
  lastSeq: SeqOfStream
  release(): Promise<void>
}

/** Longest time to wait for the locks of the outboxes, and to hold them, before the attempt is abandoned. */
const LOCK_TIMEOUT = '3s'
const ATTEMPTS = 5
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Picks an instant. The outboxes are locked for a few milliseconds: no change with an event can be committed, and
 * no event can leave its outbox. So each event is in the snapshot's outbox, or in a stream up to the recorded
 * message, or belongs to a change that is not in the snapshot.
 */
export async function pickMoment(databaseUrl: string, manager: JetStreamManager): Promise<Moment> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryMoment(databaseUrl, manager)
    } catch (error) {
      // A long transaction holds a lock: the next attempt may succeed.
      const isBusy = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
      if (!isBusy || attempt === ATTEMPTS) throw error
    }
  }
}

async function tryMoment(databaseUrl: string, manager: JetStreamManager): Promise<Moment> {
  const still = new pg.Client({ connectionString: databaseUrl })
  const snapshot = new pg.Client({ connectionString: databaseUrl })
  // A broken connection is reported by the next query.
  for (const client of [still, snapshot]) client.on('error', () => undefined)
  const release = async (): Promise<void> => {
    await Promise.all([still.end(), snapshot.end()])
  }
  try {
    await Promise.all([still.connect(), snapshot.connect()])
    await still.query('BEGIN')
    await still.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
    await lockOutboxes(still)
    await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows } = await snapshot.query<{ id: string }>('SELECT pg_export_snapshot() AS id')
    const lastSeq = await readLastSeq(manager)
    await still.query('COMMIT')
    const snapshotId = rows[0]?.id
    if (snapshotId === undefined) throw new Error('Postgres gave no snapshot')
    return { snapshotId, lastSeq, release }
  } catch (error) {
    await release()
    throw error
  }
}

/**
 * Always in the same order: lockers of several outboxes never wait for each other. Before the migrations of an upgrade a new
 * service has none.
 */
async function lockOutboxes(client: pg.Client): Promise<void> {
  const outboxes = databaseOwnerNames.map((owner) => `${databaseOwners[owner].schema}.outbox`)
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) WITH ORDINALITY AS one (name, place)
     WHERE to_regclass(name) IS NOT NULL ORDER BY place`,
    [outboxes],
  )
  await client.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN SHARE MODE`)
}

/** The last message of each stream. */
export async function readLastSeq(manager: JetStreamManager): Promise<SeqOfStream> {
  const entries = await Promise.all(
    STREAMS.map(async (stream) => {
      const info = await manager.streams.info(stream).catch(ignoreNotFound)
      return [stream, info?.state.last_seq ?? 0] as const
    }),
  )
  return Object.fromEntries(entries)
}
