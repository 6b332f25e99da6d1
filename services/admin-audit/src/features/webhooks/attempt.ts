import { describeFailure, type OutboundRequests } from '@looptide/service-kit/outbound/outbound-requests'
import type { AttemptRecord, DueDelivery } from './delivery-repository.ts'
import { formatBody } from './format-body.ts'
import { type SigningSecrets, signedHeaders } from './secrets.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/**
 * Time from a failed attempt to the next one, in ms, as Standard Webhooks 1.0 recommends (“Retries”). After the last one,
 * 75 hours after the first, the delivery has failed.
 */
const DELAYS_MS = [
  5000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
]
/** Longest delay that a receiver can demand by `Retry-After`. */
const MAX_RETRY_AFTER_MS = HOUR_MS
/** Characters of an answer that are stored. */
const MAX_STORED_ANSWER = 4096
/** The receiver wants no more deliveries. */
const GONE = 410

/** The result of an attempt. `isOver`: the receiver has failed for good, or wants nothing more. */
export interface AttemptResult {
  record: AttemptRecord
  over: 'failing' | 'gone' | null
}

interface AttemptDeps {
  outbound: OutboundRequests
  now: () => number
}

/** Sends a delivery once. Never rejects. */
export async function attempt(delivery: DueDelivery, { outbound, now }: AttemptDeps): Promise<AttemptResult> {
  const startedAtMs = now()
  const began = performance.now()
  const answer = await send(delivery, outbound, startedAtMs)
  const durationMs = Math.round(performance.now() - began)
  const isDelivered = answer.status !== null && answer.status >= 200 && answer.status < 300
  const delayMs = isDelivered || delivery.kind !== 'event' ? undefined : DELAYS_MS[delivery.attempts]
  const isGone = answer.status === GONE && delivery.kind === 'event'
  const isRetried = delayMs !== undefined && !isGone
  const nextMs = startedAtMs + Math.max(delayMs ?? 0, retryAfterMs(answer.retryAfter))
  return {
    record: {
      state: isDelivered ? 'delivered' : isRetried ? 'waiting' : 'failed',
      nextAttemptAt: new Date(nextMs),
      attemptedAt: new Date(startedAtMs),
      durationMs,
      status: answer.status,
      response: answer.text,
      error: isDelivered ? null : (answer.error ?? refusalOf(answer.status)),
    },
    over: isDelivered || isRetried || delivery.kind !== 'event' ? null : isGone ? 'gone' : 'failing',
  }
}

interface Sent {
  status: number | null
  text: string | null
  error: string | null
  retryAfter: string | undefined
}

async function send(delivery: DueDelivery, outbound: OutboundRequests, atMs: number): Promise<Sent> {
  const body = formatBody(delivery.payload, delivery.format)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Looptide-Webhooks/1',
    ...signedHeaders({ id: delivery.eventId, body, atMs }, secretsAt(delivery, atMs)),
  }
  try {
    const { status, text, retryAfter } = await outbound.post(delivery.url, headers, body)
    return { status, text: storable(text), error: null, retryAfter }
  } catch (error) {
    return { status: null, text: null, error: describeFailure(error), retryAfter: undefined }
  }
}

/** The secrets that sign at this time: also the previous ones for a day after a rotation. */
function secretsAt(delivery: DueDelivery, atMs: number): SigningSecrets[] {
  const { secret, signingKey, previousSecret, previousSigningKey, previousUntil } = delivery
  const current = { secret, signingKey }
  if (previousSecret === null || previousSigningKey === null || previousUntil === null) return [current]
  if (previousUntil.getTime() <= atMs) return [current]
  return [current, { secret: previousSecret, signingKey: previousSigningKey }]
}

function refusalOf(status: number | null): string {
  const isRedirect = status !== null && status >= 300 && status < 400
  return isRedirect ? `Answered ${status}: redirects are not followed.` : `Answered ${status}.`
}

/** The delay in a header `Retry-After` in seconds. A date is ignored. */
function retryAfterMs(header: string | undefined): number {
  const seconds = header === undefined || !/^\d{1,9}$/.test(header) ? 0 : Number(header)
  return Math.min(MAX_RETRY_AFTER_MS, seconds * 1000)
}

/** The start of an answer as Postgres stores it. */
const storable = (text: string): string =>
  text.slice(0, MAX_STORED_ANSWER).toWellFormed().replaceAll('\0', '\uFFFD')
