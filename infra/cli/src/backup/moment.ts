import { STREAMS } from '@looptide/contracts/events'
import { databaseOwnerNames, databaseOwners } from '@looptide/runner/database/owners'
import type { JetStreamManager } from '@looptide/service-kit/nats-client'
import { ignoreNotFound } from '@looptide/service-kit/streams'
import pg from 'pg'

/** A message of each stream, by the stream's name. */
export type SeqOfStream = Record<string, number>

/** An instant of the whole station: what the database holds, and how far each stream of events had come. */
export interface Moment {
  /** For `pg_dump --snapshot`; good until `release`. */
  snapshotId: string
  /** The last message of each stream that belongs to it; 0 for a stream that is empty or not there. */
  lastSeq: SeqOfStream
  release(): Promise<void>
}

/** How long the outboxes may be waited for, and then stand still, before the attempt is given up. */
const LOCK_TIMEOUT = '3s'
const ATTEMPTS = 5
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Picks an instant. For it the outboxes stand still, a few milliseconds long: no change of which an event tells can be
 * committed meanwhile, and none can leave its outbox. So every event is in the snapshot's outbox, or in a stream up to
 * the noted message, or tells of a change that is not in the snapshot either.
 */
export async function pickMoment(databaseUrl: string, manager: JetStreamManager): Promise<Moment> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryMoment(databaseUrl, manager)
    } catch (error) {
      // Somebody's long transaction is in the way: the next try may find it gone.
      const isBusy = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
      if (!isBusy || attempt === ATTEMPTS) throw error
    }
  }
}

async function tryMoment(databaseUrl: string, manager: JetStreamManager): Promise<Moment> {
  const still = new pg.Client({ connectionString: databaseUrl })
  const snapshot = new pg.Client({ connectionString: databaseUrl })
  // A server that goes away is told by the next query.
  for (const client of [still, snapshot]) client.on('error', () => undefined)
  const release = async (): Promise<void> => {
    await Promise.all([still.end(), snapshot.end()])
  }
  try {
    await Promise.all([still.connect(), snapshot.connect()])
    await still.query('BEGIN')
    await still.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
    await still.query(`LOCK TABLE ${outboxes()} IN SHARE MODE`)
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

/** In one order for everybody: whoever locks several waits for nobody who waits for them. */
const outboxes = (): string =>
  databaseOwnerNames.map((owner) => `${databaseOwners[owner].schema}.outbox`).join(', ')

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
