import { KEPT_DELIVERIES, type WebhookFailure } from '@looptide/contracts/http/webhooks'
import type { EventTables } from '@looptide/service-kit/db/event-tables'
import { Lease } from '@looptide/service-kit/db/lease'
import { appendEvent } from '@looptide/service-kit/events/outbox'
import type { OutboundRequests } from '@looptide/service-kit/outbound/outbound-requests'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { pause } from '@looptide/service-kit/time/pause'
import type { Kysely, Transaction } from 'kysely'
import { Counter, type Registry } from 'prom-client'
import type { Database } from '../../db/schema.ts'
import { type AttemptResult, attempt } from './attempt.ts'
import {
  type DueDelivery,
  dropWaiting,
  findDue,
  isBacklogFull,
  pruneDeliveries,
  recordAttempt,
} from './delivery-repository.ts'
import { disableWebhook, findWebhook, listWebhooks, setFailingSince } from './webhook-repository.ts'

/** How often the worker looks for deliveries that are due, in ms. */
const POLL_MS = 1000
/** How often finished deliveries are deleted, in ms. */
const PRUNE_EVERY_MS = 60_000
const KEPT_MS = 30 * 86_400_000
/**
 * Deliveries of one webhook at a time. There is no limit of all together, so that slow receivers delay no other; the
 * number of webhooks limits them.
 */
const MAX_PARALLEL = 4

interface WorkerOptions {
  db: Kysely<Database>
  outbound: OutboundRequests
  logger: Logger
  registry: Registry
  now: () => number
}

/**
 * Sends the deliveries of all webhooks: in each lane of a webhook one after another, and again until they arrive. One
 * replica works at a time, the holder of a lease. An attempt is recorded only by the holder, after it: a process that is
 * killed or frozen repeats a delivery, but omits none and overtakes none.
 */
export class DeliveryWorker {
  readonly #options: WorkerOptions
  readonly #lease: Lease
  readonly #deliveries: Counter<'result'>
  readonly #stop = new AbortController()
  /** The lanes in which a delivery is being sent ({@link laneOf}), with the end of the attempt. */
  readonly #sending = new Map<string, Promise<void>>()
  #running: Promise<void> | undefined
  #awake = new AbortController()
  #prunedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#lease = new Lease(options.db as unknown as Kysely<EventTables>, 'webhooks')
    this.#deliveries = new Counter({
      name: 'looptide_webhook_deliveries_total',
      help: 'Attempts to deliver to a webhook, by result',
      labelNames: ['result'],
      registers: [options.registry],
    })
  }

  start(): void {
    this.#running ??= this.#loop()
  }

  /** Resolves when the attempts in progress have ended and are recorded. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
    await Promise.all(this.#sending.values())
    await this.#lease.release()
  }

  /** Deliveries were stored. */
  wake(): void {
    this.#awake.abort()
  }

  /** Begins all deliveries that are due. Resolves to the number of those that it began, before they have ended. */
  async step(): Promise<number> {
    const { db, now } = this.#options
    // What is being sent may end while the query runs, which then still returns it.
    const sending = new Set(this.#sending.keys())
    const due = await findDue(db, new Date(now()))
    const isIdle = due.length === 0 && this.#sending.size === 0
    if (isIdle || !(await this.#lease.hold())) return 0
    return due.filter((delivery) => !sending.has(laneOf(delivery)) && this.#begin(delivery)).length
  }

  /** Resolves when nothing is being sent. For tests. */
  async settle(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending.values())
  }

  #begin(delivery: DueDelivery): boolean {
    if (this.#countSending(delivery.webhookId) >= MAX_PARALLEL) return false
    const key = laneOf(delivery)
    const sent = this.#deliver(delivery)
      .catch((error: unknown) => this.#options.logger.warn({ err: error }, 'webhook attempt not recorded'))
      .finally(() => {
        this.#sending.delete(key)
        this.wake()
      })
    this.#sending.set(key, sent)
    return true
  }

  #countSending(webhookId: string): number {
    return [...this.#sending.keys()].filter((key) => key.startsWith(`${webhookId} `)).length
  }

  async #deliver(delivery: DueDelivery): Promise<void> {
    const result = await attempt(delivery, this.#options)
    const { state, status, error } = result.record
    this.#deliveries.inc({ result: state === 'delivered' ? 'delivered' : 'failed' })
    const { id: deliveryId, webhookId } = delivery
    if (error !== null)
      this.#options.logger.info({ webhookId, deliveryId, status, reason: error }, 'webhook delivery failed')
    await this.#options.db.transaction().execute(async (trx) => {
      if (await this.#isHolder(trx)) await this.#record(trx, delivery, result)
    })
  }

  async #isHolder(trx: Transaction<Database>): Promise<boolean> {
    const held = this.#lease.held()
    return (await held.execute(trx)).rows.length > 0
  }

  async #record(trx: Transaction<Database>, delivery: DueDelivery, result: AttemptResult): Promise<void> {
    const { id, webhookId, kind } = delivery
    const { record, over } = result
    if (!(await recordAttempt(trx, id, record)) || kind !== 'event') return
    await setFailingSince(trx, webhookId, record.state === 'delivered' ? null : record.attemptedAt)
    if (over !== null) await this.#disable(trx, webhookId, over)
  }

  async #disable(trx: Transaction<Database>, webhookId: string, reason: WebhookFailure): Promise<void> {
    if (!(await disableWebhook(trx, webhookId, reason, new Date(this.#options.now())))) return
    await dropWaiting(trx, webhookId)
    const url = (await findWebhook(trx, webhookId))?.url ?? ''
    await appendEvent(trx, 'admin.webhook.disabled.v1', webhookId, {
      webhookId,
      reason,
      host: URL.canParse(url) ? new URL(url).host : '',
    })
    this.#options.logger.warn({ webhookId, reason }, 'webhook disabled')
  }

  /** Deletes finished deliveries beyond the last {@link KEPT_DELIVERIES}, and switches off webhooks with too many waiting. */
  async prune(): Promise<void> {
    const { db, now } = this.#options
    for (const { id, isActive } of await listWebhooks(db)) {
      await pruneDeliveries(db, id, new Date(now() - KEPT_MS))
      if (isActive && (await isBacklogFull(db, id)))
        await db.transaction().execute((trx) => this.#disable(trx, id, 'backlog'))
    }
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      const awake = this.#awake.signal
      await this.#work().catch((error: unknown) =>
        this.#options.logger.warn({ err: error }, 'webhook deliveries not read'),
      )
      await pause(POLL_MS, AbortSignal.any([signal, awake]))
      if (awake.aborted) this.#awake = new AbortController()
    }
  }

  async #work(): Promise<void> {
    await this.step()
    if (performance.now() - this.#prunedAtMs < PRUNE_EVERY_MS) return
    this.#prunedAtMs = performance.now()
    await this.prune()
  }
}

const laneOf = ({ webhookId, lane }: DueDelivery): string => `${webhookId} ${lane}`
