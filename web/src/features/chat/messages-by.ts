import type { ChatMessage } from '@looptide/contracts/http/chat'

/** Lines of the replayed chat. */
const SHOWN = 100

/** The last messages that had been posted at an instant (epoch ms), of messages in the order of their time. */
export const messagesBy = (messages: readonly ChatMessage[], atMs: number): ChatMessage[] =>
  messages.filter(({ createdAt }) => Date.parse(createdAt) <= atMs).slice(-SHOWN)
