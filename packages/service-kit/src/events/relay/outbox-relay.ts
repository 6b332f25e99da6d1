import pg from 'pg'
import { KEEP_ALIVE_AFTER_MS, SESSION_OPTIONS } from '../../db/db.ts'
import { Lease } from '../../db/lease.ts'
import { pause } from '../../time/pause.ts'
import { connectionChanges } from '../nats-client.ts'
import { LeaseLostError } from '../published-events.ts'
import { OutboxPublisher, type PublisherDeps } from './outbox-publisher.ts'

export interface RelayDeps extends Omit<PublisherDeps, 'lease'> {
  /** The service's database. The relay opens its own connection to it. */
  databaseUrl: string
  /** Polling interval when no commit notification arrives, in ms. */
  pollMs?: number
}

const POLL_MS = 1000
const RETRY_MS = 500
/** Query timeout of the relay's own connection, in ms. */
const ANSWER_TIMEOUT_MS = 5000
const CLOSE_TIMEOUT_MS = 1000

/** The next holder of the lease publishes what is left. */
function ifLeaseWasLost(error: unknown): number {
  if (error instanceof LeaseLostError) return 0
  throw error
}

/**
 * Publishes the events of the outbox to JetStream, in order. One process per service does so at a time: the holder of the
 * lease `outbox`. The others request the lease once a second. Acknowledged rows are moved to the published events for
 * some minutes, in case JetStream loses them before they are on disk. Rows are moved instead of read by a cursor, so a
 * row that commits late is never skipped.
 */
export class OutboxRelay {
  readonly #deps: RelayDeps
  readonly #lease: Lease
  readonly #publisher: OutboxPublisher
  readonly #stop = new AbortController()
  readonly #pollMs: number
  #endWait: () => void = () => undefined
  #isNotified = false
  #connected = true
  #running: Promise<void> | undefined
  #publishing: Promise<unknown> = Promise.resolve()

  constructor(deps: RelayDeps) {
    this.#deps = deps
    this.#pollMs = deps.pollMs ?? POLL_MS
    this.#lease = new Lease(deps.db, 'outbox')
    this.#publisher = new OutboxPublisher({ ...deps, lease: this.#lease })
    void this.#watchConnection()
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Stops after the current batch. Remaining rows are published after the next start. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
    // If the release fails, the lease expires.
    await this.#lease.release().catch(() => undefined)
  }

  /**
   * Publishes all rows of the outbox, or waits until the lease holder has done so. Returns the number of events that this
   * process published. For tests and shutdown.
   */
  async processAll(): Promise<number> {
    let total = 0
    try {
      for (;;) {
        total += await this.#publishAll(() => false).catch(ifLeaseWasLost)
        const left = await this.#deps.db.selectFrom('outbox').select('seq').limit(1).execute()
        if (left.length === 0) return total
        await pause(50, new AbortController().signal)
      }
    } finally {
      if (this.#running === undefined) await this.#releaseLease()
    }
  }

  async #releaseLease(): Promise<void> {
    this.#publisher.reset()
    await this.#lease.release()
  }

  /** Pauses publishing while NATS is down: the client would buffer every attempt and send all of them after reconnecting. */
  async #watchConnection(): Promise<void> {
    for await (const change of connectionChanges(this.#deps.nats)) {
      if (change === 'disconnect') this.#connected = false
      if (change === 'reconnect') {
        this.#connected = true
        this.#publisher.reset()
        this.#wake()
      }
    }
  }

  #wake(): void {
    this.#isNotified = true
    this.#endWait()
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#relayUntilFault()
      } catch (error) {
        this.#deps.logger.warn({ err: error }, 'outbox relay failed')
      }
      await pause(RETRY_MS, this.#stop.signal)
    }
  }

  async #relayUntilFault(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#deps.databaseUrl,
      options: SESSION_OPTIONS,
      connectionTimeoutMillis: 3000,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    })
    const broken = new AbortController()
    client.on('error', () => broken.abort())
    client.on('end', () => broken.abort())
    client.on('notification', () => this.#wake())
    try {
      await client.connect()
      let isListening = false
      while (!this.#stop.signal.aborted && !broken.signal.aborted) {
        this.#isNotified = false
        const isLeader = await this.#relayOnce()
        if (isLeader !== isListening) {
          await this.#listen(client, isLeader)
          isListening = isLeader
          continue
        }
        // Rows committed while publishing may not have been read: do not wait then.
        if (!this.#isNotified) await this.#waitForCommit(client, broken.signal)
      }
    } finally {
      // An unreachable server does not acknowledge the close.
      await Promise.race([
        client.end().catch(() => undefined),
        pause(CLOSE_TIMEOUT_MS, new AbortController().signal),
      ])
    }
  }

  /** True if this process holds the lease. Without NATS it releases the lease to a process that is connected. */
  async #relayOnce(): Promise<boolean> {
    if (!this.#connected) {
      await this.#releaseLease()
      return false
    }
    await this.#publishAll(() => this.#stop.signal.aborted)
    return this.#lease.hold()
  }

  /** Subscribes the leader, and only the leader, to commit notifications. */
  async #listen(client: pg.Client, isLeader: boolean): Promise<void> {
    const { rows } = await client.query<{ schema: string }>('select current_schema() as schema')
    await client.query(`${isLeader ? 'listen' : 'unlisten'} "outbox_${rows[0]?.schema ?? 'public'}"`)
  }

  /**
   * Waits for a commit notification, at most one poll interval. Renews the lease at least once a second. Throws when the
   * connection of the notifications is dead: none would arrive.
   */
  async #waitForCommit(client: pg.Client, broken: AbortSignal): Promise<void> {
    const notified = new AbortController()
    this.#endWait = () => notified.abort()
    const untilMs = performance.now() + this.#pollMs
    const signal = AbortSignal.any([notified.signal, broken, this.#stop.signal])
    for (let leftMs = this.#pollMs; leftMs > 0 && !signal.aborted; leftMs = untilMs - performance.now()) {
      await pause(Math.min(POLL_MS, leftMs), signal)
      if (signal.aborted) return
      await client.query('select 1')
      if (this.#connected && !(await this.#lease.hold())) return
    }
  }

  /** Serialized, so that `processAll` and the loop cannot publish the same rows twice. */
  #publishAll(isStopped: () => boolean): Promise<number> {
    const work = this.#publishing.then(async () => {
      if (!(await this.#lease.hold())) {
        this.#publisher.reset()
        return 0
      }
      await this.#publisher.compare()
      return this.#publisher.publishAll(isStopped)
    })
    this.#publishing = work.catch(() => undefined)
    return work
  }
}
