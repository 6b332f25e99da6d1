import {
  CHAT_PAGE,
  type ChatMessage,
  type ChatPage,
  type HeldMessage,
  type PostChatBody,
} from '@looptide/contracts/http/chat'
import type { Restriction } from '@looptide/contracts/http/users'
import { api } from '../../lib/clients.ts'
import { addRestriction } from '../../lib/session/restrictions.ts'

/** The newest 50 messages, or those after or before a `seq`; oldest first. */
export function fetchMessages(
  channelId: string,
  range: { after?: number; before?: number } = {},
): Promise<ChatPage> {
  return api.call(
    'GET /api/chat/channels/:id/messages',
    { params: { id: channelId }, query: { ...range, limit: CHAT_PAGE } },
    { anonymous: true },
  )
}

/** A message, or one that waits for a moderator. */
export type Sent = ChatMessage | HeldMessage

/** Sends a message. Repeating a `clientId` does not create another message. */
export function postMessage(channelId: string, body: PostChatBody): Promise<Sent> {
  return api.call('POST /api/chat/channels/:id/messages', { params: { id: channelId }, body })
}

/** The reason of docs/product/viewer.md §6. */
const BAN_REASON = 'Banned from chat by administrator'

/** Bans a user from chat until an admin lifts the ban; for admins. */
export function banFromChat(userId: string, replaces: string | null): Promise<Restriction> {
  return addRestriction(userId, { restrictionType: 'chat_banned', reason: BAN_REASON, replaces })
}

/** Bans a user from chat for a time; for moderators. */
export function timeOut(
  userId: string,
  { durationMs, nowMs, replaces }: { durationMs: number; nowMs: number; replaces: string | null },
): Promise<Restriction> {
  const expiresAt = new Date(nowMs + durationMs).toISOString()
  const reason = 'Timed out from chat by moderator'
  return addRestriction(userId, { restrictionType: 'chat_banned', reason, expiresAt, replaces })
}
