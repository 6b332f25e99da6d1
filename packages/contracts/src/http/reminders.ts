import { type Static, Type } from 'typebox'
import { ChannelId, EpochMs, Instant, Nullable, strict, Uuid } from '../common.ts'
import { Address, Code, Line } from '../text-fields.ts'

/** Reminders that an account may have. */
export const MAX_REMINDERS = 100
/** Devices of an account that receive reminders by Web Push. */
export const MAX_PUSH_SUBSCRIPTIONS = 10
/** Longest time before the start, in minutes. */
const MAX_MINUTES_BEFORE = 120
/** Minutes before the start at which a reminder is sent, unless the viewer says otherwise. */
export const DEFAULT_MINUTES_BEFORE = 10

/** What a reminder is about: one programme, each time a block is on, a special, or each time an artist is planned. */
export const ReminderKind = Type.Union([
  Type.Literal('programme'),
  Type.Literal('block'),
  Type.Literal('special'),
  Type.Literal('artist'),
])
export type ReminderKind = Static<typeof ReminderKind>

const target = {
  kind: ReminderKind,
  channelId: ChannelId,
  /** The id of the programme, of the block or of the special; the name of the artist. */
  ref: Line({ minLength: 1, maxLength: 200, pattern: '\\S' }),
}

/**
 * PUT /api/me/reminders: a reminder `minutesBefore` the start and, unless that is 0, again at the start. A reminder that
 * exists is changed. 404 for what the guide of the channel does not announce; 409 `reminder_limit`, 403 `user_restricted`.
 */
export const SetReminderBody = Type.Object(
  {
    ...target,
    minutesBefore: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_MINUTES_BEFORE, default: DEFAULT_MINUTES_BEFORE }),
    ),
  },
  strict,
)
export type SetReminderBody = Static<typeof SetReminderBody>

/** DELETE /api/me/reminders. `minutesBefore` is ignored. */
export const RemoveReminderBody = Type.Object(
  { ...target, minutesBefore: SetReminderBody.properties.minutesBefore },
  strict,
)
export type RemoveReminderBody = Static<typeof RemoveReminderBody>

/**
 * A reminder. `ref` follows a programme that was moved. `startsAtMs`: the next start; null if none is planned yet.
 * `videoId`: that of the next programme, if the reminder is about one or about an artist. `isRemoved`: what it is about was
 * taken out of the programme, and the viewer is notified.
 */
export const Reminder = Type.Object({
  id: Uuid,
  kind: ReminderKind,
  channelId: ChannelId,
  ref: Type.String(),
  title: Type.String(),
  minutesBefore: Type.Integer(),
  startsAtMs: Nullable(EpochMs),
  videoId: Nullable(Uuid),
  isRemoved: Type.Boolean(),
})
export type Reminder = Static<typeof Reminder>

/** GET /api/me/reminders: all reminders of the caller, by their next start; at most {@link MAX_REMINDERS}. */
export const ReminderList = Type.Object({ items: Type.Array(Reminder) })

const TimeOfDay = Code({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })

/** Hours in which nothing is pushed or mailed, by local times; they may span midnight. `timeZone`: an IANA name. */
const QuietHours = Type.Object(
  { from: TimeOfDay, to: TimeOfDay, timeZone: Code({ minLength: 1, maxLength: 64 }) },
  strict,
)
export type QuietHours = Static<typeof QuietHours>

/**
 * How the caller is reminded. `mail`: if no device receives pushes. `pushKey`: the station's public key for Web Push
 * (VAPID, base64url); null if the station sends none.
 */
export const ReminderSettings = Type.Object({
  mail: Type.Boolean(),
  quietHours: Nullable(QuietHours),
  pushKey: Nullable(Type.String()),
})
export type ReminderSettings = Static<typeof ReminderSettings>

export const UpdateReminderSettingsBody = Type.Object(
  { mail: Type.Optional(Type.Boolean()), quietHours: Type.Optional(Nullable(QuietHours)) },
  { ...strict, minProperties: 1 },
)
export type UpdateReminderSettingsBody = Static<typeof UpdateReminderSettingsBody>

/**
 * POST /api/me/push-subscriptions: what `PushSubscription.toJSON()` of a browser returns (Push API), and the name of the
 * device for its owner. `declarative`: the browser shows declarative messages without a service worker. 409
 * `push_subscription_limit`.
 */
export const AddPushSubscriptionBody = Type.Object(
  {
    endpoint: Address({ minLength: 1, maxLength: 2000 }),
    expirationTime: Type.Optional(Nullable(Type.Number())),
    keys: Type.Object(
      {
        // A point of P-256, uncompressed, and 16 bytes (RFC 8291 §2), in base64url.
        p256dh: Code({ pattern: '^[A-Za-z0-9_-]{87}=?$' }),
        auth: Code({ pattern: '^[A-Za-z0-9_-]{22}(==)?$' }),
      },
      strict,
    ),
    deviceName: Type.Optional(Line({ minLength: 1, maxLength: 100 })),
    declarative: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type AddPushSubscriptionBody = Static<typeof AddPushSubscriptionBody>

/** A device that receives pushes. `lastUsedAt`: when the last one was accepted by its push service. */
export const PushSubscriptionInfo = Type.Object({
  id: Uuid,
  deviceName: Nullable(Type.String()),
  createdAt: Instant,
  lastUsedAt: Nullable(Instant),
})
export type PushSubscriptionInfo = Static<typeof PushSubscriptionInfo>

/** GET /api/me/push-subscriptions: at most {@link MAX_PUSH_SUBSCRIPTIONS}, the oldest one first. */
export const PushSubscriptionList = Type.Object({ items: Type.Array(PushSubscriptionInfo) })

export const PushSubscriptionParams = Type.Object({ id: Uuid }, strict)

/** When a reminder is sent: before the start, at the start, or because its programme was taken out of the guide. */
export const ReminderPhase = Type.Union([
  Type.Literal('before'),
  Type.Literal('start'),
  Type.Literal('removed'),
])
export type ReminderPhase = Static<typeof ReminderPhase>
