import pg from 'pg'
import { KEEP_ALIVE_AFTER_MS, SESSION_OPTIONS } from './db.ts'
import { Lease } from './lease.ts'
import { pause } from './nats.ts'
import { connectionChanges } from './nats-client.ts'
import { OutboxPublisher, type PublisherDeps } from './outbox-publisher.ts'

export interface RelayDeps extends Omit<PublisherDeps, 'lease'> {
  /** The same database as the service's, for a connection of the relay's own. */
  databaseUrl: string
  /** How long to rest when no commit wakes the relay, in ms. */
  pollMs?: number
}

const POLL_MS = 1000
const RETRY_MS = 500
/** How long the relay's own connection may take to answer, in ms. */
const ANSWER_TIMEOUT_MS = 5000
const CLOSE_TIMEOUT_MS = 1000

/**
 * Publishes the events of the outbox to JetStream, in order. One process per service does it at a time: the one that
 * holds the lease `outbox`. The others ask for the lease once a second. An acknowledged row is kept for some minutes
 * among the published events, in case JetStream loses it before it is on disk. Rows are moved rather than passed by a
 * cursor, so one that commits late is never skipped.
 */
export class OutboxRelay {
  readonly #deps: RelayDeps
  readonly #lease: Lease
  readonly #publisher: OutboxPublisher
  readonly #stop = new AbortController()
  readonly #pollMs: number
  #endNap: () => void = () => undefined
  #woken = false
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

  /** Stops after what is under way. Rows that are left wait for the next start. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
    // Without an answer the lease ends by itself.
    await this.#lease.release().catch(() => undefined)
  }

  /**
   * Publishes all that is in the outbox now, or waits until the lease's holder has; answers how many this process
   * published. For tests and for shutdown.
   */
  async processAll(): Promise<number> {
    let total = 0
    try {
      for (;;) {
        total += await this.#publishAll(() => false)
        const left = await this.#deps.db.selectFrom('outbox').select('seq').limit(1).execute()
        if (left.length === 0) return total
        await pause(50, new AbortController().signal)
      }
    } finally {
      if (this.#running === undefined) await this.#leave()
    }
  }

  async #leave(): Promise<void> {
    this.#publisher.forget()
    await this.#lease.release()
  }

  /** While NATS is away the client would hold each attempt in memory and send them all when it is back. */
  async #watchConnection(): Promise<void> {
    for await (const change of connectionChanges(this.#deps.nats)) {
      if (change === 'disconnect') this.#connected = false
      if (change === 'reconnect') {
        this.#connected = true
        this.#publisher.forget()
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
        await this.#relayUntilFault()
      } catch (error) {
        this.#deps.logger.warn({ err: error }, 'outbox relay failed, trying again')
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
        this.#woken = false
        const isLeader = await this.#relayOnce()
        if (isLeader !== isListening) {
          await this.#listen(client, isLeader)
          isListening = isLeader
          continue
        }
        // Also tells a connection that has gone silent: no notification would come over it.
        await client.query('select 1')
        // A commit during the publishing may not be among the rows that were read: no nap then.
        if (!this.#woken) await this.#nap(broken.signal)
      }
    } finally {
      // A server that is not there does not answer the end of the connection.
      await Promise.race([
        client.end().catch(() => undefined),
        pause(CLOSE_TIMEOUT_MS, new AbortController().signal),
      ])
    }
  }

  /** True while this process is the one that publishes. Without NATS it leaves the lease to one that has it. */
  async #relayOnce(): Promise<boolean> {
    if (!this.#connected) {
      await this.#leave()
      return false
    }
    await this.#publishAll(() => this.#stop.signal.aborted)
    return this.#lease.hold()
  }

  /** Only the leader is woken by each commit. */
  async #listen(client: pg.Client, isLeader: boolean): Promise<void> {
    const { rows } = await client.query<{ schema: string }>('select current_schema() as schema')
    await client.query(`${isLeader ? 'listen' : 'unlisten'} "outbox_${rows[0]?.schema ?? 'public'}"`)
  }

  /** Until woken by a commit, or one poll interval; the lease is renewed at least each second. */
  async #nap(broken: AbortSignal): Promise<void> {
    const woken = new AbortController()
    this.#endNap = () => woken.abort()
    const untilMs = performance.now() + this.#pollMs
    const signal = AbortSignal.any([woken.signal, broken, this.#stop.signal])
    while (!signal.aborted && performance.now() < untilMs) {
      await pause(Math.min(POLL_MS, untilMs - performance.now()), signal)
      if (!signal.aborted && this.#connected && !(await this.#lease.hold())) return
    }
  }

  /** Serialised, so that a test's `processAll` and the loop cannot publish the same rows twice. */
  #publishAll(isStopped: () => boolean): Promise<number> {
    const work = this.#publishing.then(async () => {
      if (!(await this.#lease.hold())) {
        this.#publisher.forget()
        return 0
      }
      await this.#publisher.compare()
      return this.#publisher.publishAll(isStopped)
    })
    this.#publishing = work.catch(() => undefined)
    return work
  }
}
