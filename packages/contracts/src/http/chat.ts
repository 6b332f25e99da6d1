import { type Static, Type } from 'typebox'
import { ChannelId, Instant, Nullable, RestrictionType, Role, strict, Uuid } from '../common.ts'

/**
 * `seq` numbers a channel's messages without gaps a reader could miss: fetch `after` the last one seen. The author's
 * names are those of now; the role is that of when the message was read or told of.
 */
export const ChatMessage = Type.Object({
  id: Uuid,
  channelId: ChannelId,
  seq: Type.Integer({ minimum: 1 }),
  userId: Uuid,
  author: Type.Object({ handle: Nullable(Type.String()), artistName: Nullable(Type.String()), role: Role }),
  message: Type.String(),
  createdAt: Instant,
})
export type ChatMessage = Static<typeof ChatMessage>

export const CHAT_MESSAGE_MAX = 500
/** How many messages a page of chat holds (viewer specification §9). */
export const CHAT_PAGE = 50

export const ChatChannelParams = Type.Object({ id: ChannelId }, strict)
export const ChatMessageParams = Type.Object({ id: ChannelId, messageId: Uuid }, strict)
/** Newest 50 when neither is given; `after` goes forward from a seq, `before` backward. Answers are oldest first. */
export const ChatListQuery = Type.Object(
  {
    after: Type.Optional(Type.Integer({ minimum: 0 })),
    before: Type.Optional(Type.Integer({ minimum: 1 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: CHAT_PAGE })),
  },
  strict,
)
/** `removedIds` are those taken down lately, for a client that was away; `slowModeS` as in {@link ChatSettings}. */
export const ChatPage = Type.Object({
  items: Type.Array(ChatMessage),
  lastSeq: Type.Integer({ minimum: 0 }),
  removedIds: Type.Array(Uuid),
  slowModeS: Type.Integer({ minimum: 0 }),
})
export type ChatPage = Static<typeof ChatPage>

/** `clientId` names the message on the sender's side: a repeated POST answers the first one's row. */
export const PostChatBody = Type.Object(
  { clientId: Uuid, message: Type.String({ minLength: 1, maxLength: CHAT_MESSAGE_MAX, pattern: '\\S' }) },
  strict,
)
export type PostChatBody = Static<typeof PostChatBody>

/** GET and PATCH /api/chat/channels/:id/settings. `slowModeS`: seconds between two messages of one viewer; 0 is off. */
export const ChatSettings = Type.Object({ slowModeS: Type.Integer({ minimum: 0, maximum: 3600 }) }, strict)
export type ChatSettings = Static<typeof ChatSettings>

/** A restriction in force; each kind of them takes the chat away. `expiresAt` null: until somebody lifts it. */
export const ChatRestriction = Type.Object({ restrictionType: RestrictionType, expiresAt: Nullable(Instant) })
export type ChatRestriction = Static<typeof ChatRestriction>

/**
 * GET /api/chat/channels/:id/permissions (signed in): whether one may write. `restrictions`: those in force, one of a
 * kind; `waitMs`: how long slow mode still has one wait, 0 when it does not.
 */
export const ChatPermissions = Type.Object({
  restrictions: Type.Array(ChatRestriction, { maxItems: 3 }),
  waitMs: Type.Integer({ minimum: 0 }),
})
export type ChatPermissions = Static<typeof ChatPermissions>
