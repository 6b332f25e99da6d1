import {
  describeFailure,
  type OutboundRequests,
  RefusedTargetError,
} from '@looptide/service-kit/outbound/outbound-requests'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Kysely } from 'kysely'
import type { Counter } from 'prom-client'
import webPush from 'web-push'
import type { Database } from '../../db/schema.ts'
import {
  type DuePush,
  deleteDeadSubscription,
  endDelivery,
  postponeDelivery,
  takeDuePushes,
} from './push-repository.ts'
import type { VapidKeys } from './vapid-keys.ts'

/** Interval at which pushes are looked for, in ms. */
const INTERVAL_MS = 500
/** Time for which no other replica takes a push that is being sent, in ms: longer than a request. */
const LEASE_MS = 30_000
/** Pushes that are being sent at the same time, of all hosts and of one. */
const MAX_SENDING = 100
const MAX_SENDING_TO_HOST = 20
/** Time from a failed attempt to the next one, in ms; then the last one repeats until the push expires. */
const DELAYS_MS = [2000, 10_000, 60_000, 300_000] as const
const LONGEST_DELAY_MS = 300_000
/** Answers that say that a subscription has ended (RFC 8030 §7.3). */
const GONE: readonly number[] = [404, 410]

/** What became of an attempt: whether it is repeated, or the subscription has ended. */
type PushResult = 'sent' | 'failed' | 'refused' | 'gone' | 'expired'

interface SenderDeps {
  db: Kysely<Database>
  outbound: OutboundRequests
  vapidKeys: VapidKeys
  siteUrl: string
  logger: Logger
  pushes: Counter<'result'>
  now: () => number
}

/**
 * Sends pushes to the push services of browsers, in any number of replicas. A push is taken before it is sent, and deleted
 * when its service has accepted it. After a crash between the two it is sent again under the same `Topic`, which replaces
 * the first one at the service, and the same tag, which replaces it on the device: it is shown once.
 */
export class PushSender implements Background {
  readonly #deps: SenderDeps
  readonly #task: PeriodicTask
  readonly #sending = new Map<string, { host: string; end: Promise<void> }>()

  constructor(deps: SenderDeps) {
    this.#deps = deps
    this.#task = new PeriodicTask({
      logger: deps.logger,
      everyMs: INTERVAL_MS,
      atStart: true,
      failure: 'pushes not read',
      run: () => this.step(),
    })
  }

  start(): void {
    this.#task.start()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
    await this.settle()
  }

  /** Begins to send what is due, as far as hosts are not busy: a slow push service delays no other. */
  async step(): Promise<void> {
    const { db, now } = this.#deps
    const limit = Math.min(MAX_SENDING - this.#sending.size, MAX_SENDING_TO_HOST)
    if (limit <= 0) return
    const nowMs = now()
    const until = new Date(nowMs + LEASE_MS)
    const due = await takeDuePushes(db, { now: new Date(nowMs), until, busyHosts: this.#busyHosts(), limit })
    for (const push of due) {
      const end = this.#deliver(push)
        .catch((error: unknown) => this.#deps.logger.warn({ err: error }, 'push not recorded'))
        .finally(() => this.#sending.delete(push.id))
      this.#sending.set(push.id, { host: push.host, end })
    }
  }

  /** Resolves when nothing is being sent. */
  async settle(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all([...this.#sending.values()].map(({ end }) => end))
  }

  #busyHosts(): string[] {
    const hosts = Map.groupBy(this.#sending.values(), ({ host }) => host)
    return [...hosts].filter(([, sending]) => sending.length >= MAX_SENDING_TO_HOST).map(([host]) => host)
  }

  async #deliver(push: DuePush): Promise<void> {
    const { db, now, pushes, logger } = this.#deps
    if (push.expiresAt.getTime() <= now()) {
      pushes.inc({ result: 'expired' })
      return endDelivery(db, push, null)
    }
    const { result, reason, retryAfterMs } = await this.#attempt(push)
    pushes.inc({ result })
    if (result === 'sent') return endDelivery(db, push, new Date(now()))
    logger.info({ host: push.host, subscriptionId: push.subscriptionId, reason }, 'push failed')
    if (result === 'gone') return deleteDeadSubscription(db, push.subscriptionId)
    if (result === 'refused') return endDelivery(db, push, null)
    const delayMs = Math.max(DELAYS_MS[push.attempts - 1] ?? LONGEST_DELAY_MS, retryAfterMs)
    return postponeDelivery(db, push.id, new Date(now() + delayMs))
  }

  /** Sends a push once. Never rejects. */
  async #attempt(push: DuePush): Promise<{ result: PushResult; reason: string; retryAfterMs: number }> {
    try {
      const { headers, body } = this.#requestOf(push)
      const { status, retryAfter } = await this.#deps.outbound.post(push.endpoint, headers, body)
      return { result: resultOf(status), reason: `Answered ${status}.`, retryAfterMs: delayOf(retryAfter) }
    } catch (error) {
      const result = error instanceof RefusedTargetError ? 'gone' : 'failed'
      return { result, reason: describeFailure(error), retryAfterMs: 0 }
    }
  }

  /** The encrypted message (RFC 8291), signed by the station (RFC 8292). */
  #requestOf({ endpoint, p256dh, auth, startId, payload, expiresAt, isDeclarative }: DuePush) {
    const { vapidKeys, siteUrl, now } = this.#deps
    const subscription = { endpoint, keys: { p256dh, auth } }
    const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(payload), {
      vapidDetails: { subject: contactOf(siteUrl), ...vapidKeys },
      TTL: Math.max(0, Math.round((expiresAt.getTime() - now()) / 1000)),
      urgency: 'high',
      // At most 32 characters of base64url (RFC 8030 §5.4).
      topic: startId.replaceAll('-', ''),
    })
    const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])
    const type = isDeclarative ? { 'content-type': 'application/notification+json' } : {}
    return { headers: { ...Object.fromEntries(texts), ...type }, body }
  }
}

/** Who operates the station, for push services (RFC 8292 §2.1): a URL with https, or a mail address. */
const contactOf = (siteUrl: string): string =>
  siteUrl.startsWith('https:') ? siteUrl : `mailto:station@${new URL(siteUrl).hostname}`

function resultOf(status: number): PushResult {
  if (status >= 200 && status < 300) return 'sent'
  if (GONE.includes(status)) return 'gone'
  return status === 429 || status >= 500 ? 'failed' : 'refused'
}

/** The delay in a header `Retry-After` in seconds, in ms; at most as long as between two attempts. */
const delayOf = (header: string | undefined): number =>
  header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(Number(header) * 1000, LONGEST_DELAY_MS) : 0
