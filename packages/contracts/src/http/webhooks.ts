import { type Static, Type } from 'typebox'
import { ChannelId, Instant, Nullable, strict, Uuid } from '../common.ts'
import { Address } from '../text-fields.ts'
import { WEBHOOK_EVENT_TYPES } from '../webhook-events.ts'

/** Maximum webhooks of a station. */
export const MAX_WEBHOOKS = 20
/** How many of the last deliveries of a webhook are kept, besides those that wait. */
export const KEPT_DELIVERIES = 100
/** Deliveries of one webhook that may wait; with more it is switched off. */
export const MAX_WAITING_DELIVERIES = 10_000
/** After a rotation the previous secret signs too for this time. */
export const SECRET_OVERLAP_MS = 86_400_000

/** `standard`: the body of Standard Webhooks. `discord`, `slack`: a message for an incoming webhook of these. */
export const WEBHOOK_FORMATS = ['standard', 'discord', 'slack'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

/**
 * Why the station switched a webhook off: a delivery failed for three days, the receiver answered 410, or more than
 * {@link MAX_WAITING_DELIVERIES} were waiting.
 */
export const WEBHOOK_FAILURES = ['failing', 'gone', 'backlog'] as const
export type WebhookFailure = (typeof WEBHOOK_FAILURES)[number]

const fields = {
  url: Address({ minLength: 1, maxLength: 2048 }),
  events: Type.Array(Type.Enum(WEBHOOK_EVENT_TYPES), {
    minItems: 1,
    maxItems: WEBHOOK_EVENT_TYPES.length,
    uniqueItems: true,
  }),
  /** Only events of these channels, and those that belong to none; null: of all channels. */
  channelIds: Nullable(Type.Array(ChannelId, { minItems: 1, maxItems: 100, uniqueItems: true })),
  format: Type.Enum(WEBHOOK_FORMATS),
  isActive: Type.Boolean(),
}

export const NewWebhookBody = Type.Object(
  {
    ...fields,
    channelIds: Type.Optional(fields.channelIds),
    format: Type.Optional(fields.format),
    isActive: Type.Optional(fields.isActive),
  },
  strict,
)
export type NewWebhookBody = Static<typeof NewWebhookBody>

export const WebhookChanges = Type.Object(
  {
    url: Type.Optional(fields.url),
    events: Type.Optional(fields.events),
    channelIds: Type.Optional(fields.channelIds),
    format: Type.Optional(fields.format),
    isActive: Type.Optional(fields.isActive),
  },
  { ...strict, minProperties: 1 },
)
export type WebhookChanges = Static<typeof WebhookChanges>

export const Webhook = Type.Object({
  id: Uuid,
  ...fields,
  /** The Ed25519 key (`whpk_…`) with which receivers can verify signatures without the secret. */
  publicKey: Type.String(),
  /** Until then the previous secret signs too. */
  previousSecretUntil: Nullable(Instant),
  /** Since when deliveries have been failing; null if the last one arrived. */
  failingSince: Nullable(Instant),
  /** Why and when the station switched it off. */
  disabled: Nullable(Type.Object({ reason: Type.Enum(WEBHOOK_FAILURES), at: Instant })),
  createdAt: Instant,
})
export type Webhook = Static<typeof Webhook>
export const WebhookList = Type.Object({ items: Type.Array(Webhook) })
export type WebhookList = Static<typeof WebhookList>

/** A webhook with its secret (`whsec_…`), which no other answer contains. */
export const WebhookWithSecret = Type.Object({ ...Webhook.properties, secret: Type.String() })
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const WebhookParams = Type.Object({ id: Uuid }, strict)
export const DeliveryParams = Type.Object({ id: Uuid, deliveryId: Uuid }, strict)

/** `event`: repeated until it arrives. `test`, `resend`: what an admin sent, tried once. */
export const DELIVERY_KINDS = ['event', 'test', 'resend'] as const
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const

export const WebhookDelivery = Type.Object({
  id: Uuid,
  /** The header `webhook-id`: the same for each attempt, and when it is sent again. */
  eventId: Uuid,
  type: Type.String(),
  kind: Type.Enum(DELIVERY_KINDS),
  channelId: Nullable(Type.String()),
  state: Type.Enum(DELIVERY_STATES),
  attempts: Type.Integer({ minimum: 0 }),
  createdAt: Instant,
  attemptedAt: Nullable(Instant),
  nextAttemptAt: Nullable(Instant),
  /** Of the last attempt. */
  durationMs: Nullable(Type.Integer({ minimum: 0 })),
  request: Type.Object({ body: Type.String() }),
  /** The start of the last answer; null without one. */
  response: Nullable(Type.Object({ status: Type.Integer(), body: Type.String() })),
  /** Why the last attempt failed, for people. */
  error: Nullable(Type.String()),
})
export type WebhookDelivery = Static<typeof WebhookDelivery>
/**
 * The last {@link KEPT_DELIVERIES}, newest first, without events that wait for others before them. `waiting`: all that have
 * not arrived yet, counted up to {@link MAX_WAITING_DELIVERIES}.
 */
export const WebhookDeliveryList = Type.Object({
  items: Type.Array(WebhookDelivery),
  waiting: Type.Integer({ minimum: 0 }),
})
export type WebhookDeliveryList = Static<typeof WebhookDeliveryList>
