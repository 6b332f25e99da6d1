import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import { type JetStreamClient, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { type Kysely, type Selectable, sql } from 'kysely'
import pg from 'pg'
import type { EventKeys } from './event-keys.ts'
import type { EventTables } from './event-tables.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { pause } from './nats.ts'
import { messageAttributes, PUBLISH_TIMEOUT_MS, previousIdOf, publishEnvelope } from './publish-envelope.ts'
import { inSpan } from './tracing.ts'

interface RelayDeps {
  /** The same database as the service's, for a connection of the relay's own. */
  databaseUrl: string
  db: Kysely<EventTables>
  nats: NatsConnection
  logger: Logger
  metrics: Metrics
  keys: Pick<EventKeys, 'sign'>
  /** How long to rest when no commit wakes the relay, in ms. */
  pollMs?: number
}

const BATCH = 200
const POLL_MS = 1000
/** How long the relay's own connection may take to answer, in ms. */
const ANSWER_TIMEOUT_MS = 5000
const GOODBYE_MS = 1000

/**
 * Carries events from the outbox to JetStream, in order, and forgets a row only when JetStream has
 * acknowledged it. One process per service does it at a time (advisory lock); the others stand by.
 * Rows are deleted rather than passed by a cursor, so one that commits late is never skipped.
 */
export class OutboxRelay {
  readonly #deps: RelayDeps
  readonly #js: JetStreamClient
  readonly #stop = new AbortController()
  readonly #pollMs: number
  #endNap: () => void = () => undefined
  #woken = false
  #connected = true
  /** The connection that held our lock last, as Postgres knows it. */
  #session = { pid: 0, since: '' }
  #running: Promise<void> | undefined
  #publishing: Promise<unknown> = Promise.resolve()

  constructor(deps: RelayDeps) {
    this.#deps = deps
    this.#pollMs = deps.pollMs ?? POLL_MS
    this.#js = jetstream(deps.nats, { timeout: PUBLISH_TIMEOUT_MS })
    void this.#watchConnection()
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Stops after what is under way. Rows that are left wait for the next start. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Publishes all that is in the outbox now; answers how many. For tests and for shutdown. */
  async processAll(): Promise<number> {
    let total = 0
    for (;;) {
      const published = await this.#publishBatch()
      total += published
      if (published < BATCH) return total
    }
  }

  /** While NATS is away the client would hold each attempt in memory and send them all when it is back. */
  async #watchConnection(): Promise<void> {
    for await (const status of this.#deps.nats.status()) {
      if (status.type === 'disconnect') this.#connected = false
      if (status.type === 'reconnect') {
        this.#connected = true
        this.#wake()
      }
    }
  }

  #wake(): void {
    this.#woken = true
    this.#endNap()
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#leadUntilFault()
      } catch (error) {
        this.#deps.logger.warn({ err: error }, 'the outbox relay starts over')
      }
      await pause(500, this.#stop.signal)
    }
  }

  async #leadUntilFault(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#deps.databaseUrl,
      connectionTimeoutMillis: 3000,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
    })
    const broken = new AbortController()
    client.on('error', () => broken.abort())
    client.on('end', () => broken.abort())
    client.on('notification', () => this.#wake())
    try {
      await client.connect()
      const { rows } = await client.query<{ schema: string; pid: number; since: string }>(
        `select current_schema() as schema, pid, backend_start::text as since
         from pg_stat_activity where pid = pg_backend_pid()`,
      )
      await this.#endGhost(client)
      const { schema = 'public', pid = 0, since = '' } = rows[0] ?? {}
      this.#session = { pid, since }
      await this.#becomeLeader(client, schema, broken.signal)
      await client.query(`listen "outbox_${schema}"`)
      while (!this.#stop.signal.aborted && !broken.signal.aborted) {
        this.#woken = false
        if (this.#connected) await this.processAll()
        // A commit during the publishing may not be among the rows that were read: no nap then.
        if (!this.#woken) await this.#nap(broken.signal)
      }
    } finally {
      // A server that is not there does not say goodbye.
      await Promise.race([
        client.end().catch(() => undefined),
        pause(GOODBYE_MS, new AbortController().signal),
      ])
    }
  }

  /** A session of ours that a cut network left behind in Postgres would hold the lock until TCP gives it up. */
  async #endGhost(client: pg.Client): Promise<void> {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where pid = $1 and backend_start::text = $2 and usename = current_user`,
      [this.#session.pid, this.#session.since],
    )
  }

  async #becomeLeader(client: pg.Client, schema: string, broken: AbortSignal): Promise<void> {
    while (!this.#stop.signal.aborted && !broken.aborted) {
      const { rows } = await client.query<{ mine: boolean }>(
        'select pg_try_advisory_lock(hashtext($1), 1) as mine',
        [`outbox:${schema}`],
      )
      if (rows[0]?.mine === true) return
      await pause(POLL_MS, this.#stop.signal)
    }
  }

  /** Until woken by a commit, or one poll interval. */
  async #nap(broken: AbortSignal): Promise<void> {
    const woken = new AbortController()
    this.#endNap = () => woken.abort()
    await pause(this.#pollMs, AbortSignal.any([woken.signal, broken, this.#stop.signal]))
  }

  /** Serialised, so that a test's `processAll` and the loop cannot publish the same rows twice. */
  #publishBatch(): Promise<number> {
    const batch = this.#publishing.then(() => this.#publishRows())
    this.#publishing = batch.catch(() => undefined)
    return batch
  }

  /**
   * Sends a batch without waiting between its events; each names the one before it, so that JetStream
   * refuses those behind a lost one and the order stands. What was not acknowledged stays for the next try.
   */
  async #publishRows(): Promise<number> {
    const { db, metrics } = this.#deps
    const rows = await db.selectFrom('outbox').selectAll().orderBy('seq').limit(BATCH).execute()
    metrics.outboxBacklog.set(rows.length)
    const sent = await Promise.allSettled(rows.map((row, i) => this.#publish(row, previousIdOf(rows, i))))
    const done = rows.filter((_row, i) => sent[i]?.status === 'fulfilled').map((row) => row.seq)
    if (done.length > 0) await sql`delete from outbox where seq = any(${done})`.execute(db)
    const failure = sent.find((outcome) => outcome.status === 'rejected')
    if (failure !== undefined) throw failure.reason
    return rows.length
  }

  async #publish(row: Selectable<EventTables['outbox']>, previousId: string | undefined): Promise<void> {
    const type = row.type as EventType
    const envelope: Envelope = {
      id: row.id,
      type,
      occurredAt: row.occurredAt.toISOString(),
      actorId: row.actorId,
      correlationId: row.correlationId,
      aggregateId: row.aggregateId,
      aggregateVersion: row.seq,
      data: row.data as EventData<EventType>,
    }
    await inSpan(
      `publish ${type}`,
      { kind: 'producer', parent: row.traceParent, attributes: messageAttributes(type, row.id) },
      () => publishEnvelope(this.#js, this.#deps.keys, envelope, previousId),
    )
    this.#deps.metrics.eventsPublished.inc({ type })
  }
}
