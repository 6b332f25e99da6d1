import { type Static, Type } from 'typebox'
import { ChannelId, Instant, Nullable, RestrictionType, Role, strict, TimestampMs, Uuid } from '../common.ts'
import { Paragraph } from '../text-fields.ts'
import { PollResult } from './polls.ts'

/**
 * `seq` increases per channel: to catch up, fetch the messages `after` the last one received. The author's names are the
 * current ones. The role is the one at the time of reading or broadcasting. `poll`: the message is the result of a poll
 * that the author has asked, which `message` says as a text.
 */
export const ChatMessage = Type.Object({
  id: Uuid,
  channelId: ChannelId,
  seq: Type.Integer({ minimum: 1 }),
  userId: Uuid,
  author: Type.Object({ handle: Nullable(Type.String()), artistName: Nullable(Type.String()), role: Role }),
  message: Type.String(),
  createdAt: Instant,
  poll: Type.Optional(PollResult),
})
export type ChatMessage = Static<typeof ChatMessage>

export const CHAT_MESSAGE_MAX = 500
/** Messages per page. */
export const CHAT_PAGE = 50

export const ChatChannelParams = Type.Object({ id: ChannelId }, strict)
export const ChatMessageParams = Type.Object({ id: ChannelId, messageId: Uuid }, strict)
/**
 * Default: the newest 50. `after` reads forward from a seq, `before` backward. `fromMs` and `toMs` read forward from an instant,
 * those that were posted in [fromMs, toMs), with `after` from a seq on. Results are oldest first.
 */
export const ChatListQuery = Type.Object(
  {
    after: Type.Optional(Type.Integer({ minimum: 0 })),
    before: Type.Optional(Type.Integer({ minimum: 1 })),
    fromMs: Type.Optional(TimestampMs),
    toMs: Type.Optional(TimestampMs),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: CHAT_PAGE })),
  },
  strict,
)
/** `removedIds`: recently removed messages, for clients that were disconnected. `slowModeS` as in {@link ChatSettings}. */
export const ChatPage = Type.Object({
  items: Type.Array(ChatMessage),
  lastSeq: Type.Integer({ minimum: 0 }),
  removedIds: Type.Array(Uuid),
  slowModeS: Type.Integer({ minimum: 0 }),
})
export type ChatPage = Static<typeof ChatPage>

/** `clientId`: the sender's id of the message. A repeated POST returns the message of the first one. */
export const PostChatBody = Type.Object(
  { clientId: Uuid, message: Paragraph({ minLength: 1, maxLength: CHAT_MESSAGE_MAX, pattern: '\\S' }) },
  strict,
)
export type PostChatBody = Static<typeof PostChatBody>

/** Messages of an account on a channel that wait for a moderator at once. */
export const MAX_HELD_PER_ACCOUNT = 5
/**
 * A message that waits for a moderator, as its sender sees it: the answer 202 of a POST. Other viewers see it, with another
 * id, once a moderator has posted it. It is deleted after a day without a decision.
 */
export const HeldMessage = Type.Object({
  heldId: Uuid,
  channelId: ChannelId,
  message: Type.String(),
  heldAt: Instant,
})
export type HeldMessage = Static<typeof HeldMessage>

/** GET and PATCH /api/chat/channels/:id/settings. `slowModeS`: seconds between two messages of one viewer; 0 is off. */
export const ChatSettings = Type.Object({ slowModeS: Type.Integer({ minimum: 0, maximum: 3600 }) }, strict)
export type ChatSettings = Static<typeof ChatSettings>

/** An active restriction. Every type forbids posting. `expiresAt` null: until it is lifted. */
export const ChatRestriction = Type.Object({ restrictionType: RestrictionType, expiresAt: Nullable(Instant) })
export type ChatRestriction = Static<typeof ChatRestriction>

/**
 * GET /api/chat/channels/:id/permissions (signed in): whether the user may post. `restrictions`: active ones, at most one
 * per type. `waitMs`: time until slow mode allows the next message; 0 if it allows one now. `newAccountSlowModeS`: the
 * least slow mode of the user, in seconds, until some messages of the account have stood; 0 after that. `held`: the user's messages on this channel that wait for a moderator.
 */
export const ChatPermissions = Type.Object({
  restrictions: Type.Array(ChatRestriction, { maxItems: 3 }),
  waitMs: Type.Integer({ minimum: 0 }),
  newAccountSlowModeS: Type.Integer({ minimum: 0 }),
  held: Type.Array(HeldMessage, { maxItems: MAX_HELD_PER_ACCOUNT }),
})
export type ChatPermissions = Static<typeof ChatPermissions>

/** Ranges of one {@link ChatCounts}. */
export const MAX_COUNTED_RANGES = 500
/** POST /internal/chat/message-counts: how many messages that were not removed were posted in each range [fromMs, toMs). */
export const ChatCountBody = Type.Object(
  {
    ranges: Type.Array(
      Type.Object({ channelId: ChannelId, fromMs: TimestampMs, toMs: TimestampMs }, strict),
      {
        maxItems: MAX_COUNTED_RANGES,
      },
    ),
  },
  strict,
)
export type ChatCountBody = Static<typeof ChatCountBody>
/** In the order of the ranges. */
export const ChatCounts = Type.Object({ counts: Type.Array(Type.Integer({ minimum: 0 })) })
