import { type Static, type TSchema, Type } from 'typebox'
import { Instant, Nullable, RestrictionType, Uuid } from './common.ts'
import { StreamStatus } from './http/channels.ts'

interface WebhookEventDefinition {
  /** The description in the OpenAPI document. */
  readonly summary: string
  /** `data` of the body. Only optional fields may be added. */
  readonly data: TSchema
}

const defined = <const T extends Record<string, WebhookEventDefinition>>(events: T): T => events

/** What webhooks can be sent, by the `type` of the body. Names and data are public: other programs depend on them. */
const WEBHOOK_EVENTS = defined({
  'programme.started': {
    summary: 'A video starts on a channel',
    data: Type.Object({
      channelId: Type.String(),
      channelName: Type.String(),
      programmeId: Type.String(),
      videoId: Uuid,
      title: Type.String(),
      artist: Nullable(Type.String()),
      startsAt: Instant,
      endsAt: Instant,
    }),
  },
  'schedule.published': {
    summary: "A version of a channel's schedule was published",
    data: Type.Object({ channelId: Type.String(), channelName: Type.String(), version: Type.Integer() }),
  },
  'takeover.started': {
    summary: 'A channel was taken over. Without an end it lasts until somebody ends it',
    data: Type.Object({
      channelId: Type.String(),
      channelName: Type.String(),
      takeoverId: Uuid,
      title: Type.String(),
      isLive: Type.Boolean(),
      startsAt: Instant,
      endsAt: Nullable(Instant),
    }),
  },
  'channel.status_changed': {
    summary: 'A channel was started or stopped',
    data: Type.Object({ channelId: Type.String(), status: StreamStatus }),
  },
  'submission.received': {
    summary: 'A viewer submitted a video for review',
    data: Type.Object({ videoId: Uuid }),
  },
  'user.restricted': {
    summary: 'A user was restricted. Without an end until somebody lifts it',
    data: Type.Object({
      userId: Uuid,
      restrictionId: Uuid,
      restriction: RestrictionType,
      expiresAt: Nullable(Instant),
    }),
  },
})

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS
export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as WebhookEventType[]
type WebhookData<T extends WebhookEventType> = Static<(typeof WEBHOOK_EVENTS)[T]['data']>

/** The type of a test that an admin sends. */
export const TEST_EVENT = 'webhook.test'

/** The body of a delivery. A type of {@link WEBHOOK_EVENT_TYPES}, or {@link TEST_EVENT} with the text `message`. */
export type WebhookPayload =
  | { [T in WebhookEventType]: { type: T; timestamp: string; data: WebhookData<T> } }[WebhookEventType]
  | { type: typeof TEST_EVENT; timestamp: string; data: { message: string } }

const HEADERS = {
  'webhook-id': 'The id of the event: the same for each attempt.',
  'webhook-timestamp': 'When the attempt was made, in seconds since the Unix epoch.',
  'webhook-signature':
    'Signatures of `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,` HMAC-SHA256, `v1a,` Ed25519.',
}
const PARAMETERS = Object.entries(HEADERS).map(([name, description]) => ({
  ...{ name, in: 'header', required: true, description, schema: { type: 'string' } },
}))

/** The deliveries as the OpenAPI document describes them, under `webhooks`. */
export const describeWebhooks = (tag: string) =>
  Object.fromEntries(
    Object.entries({
      ...WEBHOOK_EVENTS,
      [TEST_EVENT]: { summary: 'An admin sent a test', data: Type.Object({ message: Type.String() }) },
    }).map(([type, { summary, data }]) => {
      const schema = Type.Object({ type: Type.Literal(type), timestamp: Instant, data })
      const post = {
        ...{ operationId: `webhook.${type}`, summary, tags: [tag], security: [], parameters: PARAMETERS },
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': { description: 'The delivery has arrived.' },
          '410': { description: 'The webhook is switched off.' },
          default: { description: 'The delivery is repeated for three days.' },
        },
      }
      return [type, { post }]
    }),
  )
