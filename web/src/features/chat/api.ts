import { CHAT_PAGE, type ChatMessage, type ChatPage, type PostChatBody } from '@looptide/contracts/http/chat'
import { api } from '../../lib/clients.ts'

const messagesOf = (channelId: string): string =>
  `/api/chat/channels/${encodeURIComponent(channelId)}/messages`

/** The newest 50 messages, or those after a number; oldest first. */
export function fetchMessages(channelId: string, after: number | null): Promise<ChatPage> {
  return api.get<ChatPage>(messagesOf(channelId), {
    anonymous: true,
    query: { after: after ?? undefined, limit: CHAT_PAGE },
  })
}

/** Says something. The same `clientId` again is the same message, not another one. */
export function postMessage(channelId: string, body: PostChatBody): Promise<ChatMessage> {
  return api.post<ChatMessage>(messagesOf(channelId), body)
}

/** The reason the viewer specification gives (§6). */
const BAN_REASON = 'Banned from chat by administrator'

export function banFromChat(userId: string): Promise<unknown> {
  return api.post(`/api/users/${encodeURIComponent(userId)}/restrictions`, {
    restrictionType: 'chat_banned',
    reason: BAN_REASON,
  })
}
