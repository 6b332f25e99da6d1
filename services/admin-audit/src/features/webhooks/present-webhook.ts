import type { Webhook, WebhookDelivery, WebhookFormat } from '@looptide/contracts/http/webhooks'
import type { DeliveryRow } from './delivery-repository.ts'
import { formatBody } from './format-body.ts'
import { publicKeyOf } from './secrets.ts'
import type { WebhookRow } from './webhook-repository.ts'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** A webhook without its secrets. A previous secret that no longer signs at `nowMs` is not mentioned. */
export function presentWebhook(row: WebhookRow, nowMs: number): Webhook {
  const { id, url, events, channelIds, format, isActive, disabledAt, disabledReason, previousUntil } = row
  const isOverlapping = previousUntil !== null && previousUntil.getTime() > nowMs
  const disabled =
    disabledReason === null || disabledAt === null
      ? null
      : { reason: disabledReason, at: disabledAt.toISOString() }
  return {
    ...{ id, url, events, channelIds, format, isActive, disabled },
    publicKey: publicKeyOf(row.signingKey),
    previousSecretUntil: isOverlapping ? iso(previousUntil) : null,
    failingSince: iso(row.failingSince),
    createdAt: row.createdAt.toISOString(),
  }
}

/** A delivery with its body in the format of the webhook. */
export function presentDelivery(row: DeliveryRow, format: WebhookFormat): WebhookDelivery {
  const { id, eventId, kind, channelId, state, attempts, durationMs, status, error, payload } = row
  return {
    ...{ id, eventId, kind, channelId, state, attempts, durationMs, error },
    type: payload.type,
    createdAt: row.createdAt.toISOString(),
    attemptedAt: iso(row.attemptedAt),
    nextAttemptAt: state === 'waiting' ? row.nextAttemptAt.toISOString() : null,
    request: { body: formatBody(payload, format) },
    response: status === null ? null : { status, body: row.response ?? '' },
  }
}
