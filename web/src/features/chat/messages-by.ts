import type { ChatMessage } from '@looptide/contracts/http/chat'

/** Lines of the replayed chat. */
const SHOWN = 100

/** The last messages that had been posted at an instant (epoch ms), of messages in the order of their time. */
export const messagesBy = (messages: readonly ChatMessage[], atMs: number): ChatMessage[] =>
  messages.filter(({ createdAt }) => Date.parse(createdAt) <= atMs).slice(-SHOWN)

/** Time before which the next page of the replayed chat is requested, in ms. */
const AHEAD_MS = 60_000

interface LoadedMessages {
  items?: readonly ChatMessage[] | undefined
  hasMore: boolean
  isLoadingMore: boolean
  error: unknown
}

/** Whether the chat at an instant (epoch ms) soon needs its next page. Not after a failure: SWR tries again, later each time. */
export const needsNextPage = (
  { items = [], hasMore, isLoadingMore, error }: LoadedMessages,
  atMs: number,
): boolean =>
  hasMore &&
  !isLoadingMore &&
  error === undefined &&
  Date.parse(items.at(-1)?.createdAt ?? '') < atMs + AHEAD_MS
