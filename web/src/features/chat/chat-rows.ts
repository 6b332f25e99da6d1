import type { ChatMessage } from '@looptide/contracts/http/chat'
import { dateLocale } from '../../lib/date-locale.ts'

/** A line of the chat as it is drawn. */
export type ChatRow = {
  message: ChatMessage
  /** The message begins a day: its name. */
  day: string | undefined
  /** The first one that had not been read when the reader came. */
  isFirstNew: boolean
  /** Follows the same author's message closely, and need not name them again. */
  isContinued: boolean
}

/** Longer than this after the same author's last message, they are named again. */
const CONTINUED_MS = 5 * 60_000
const DAY_MS = 86_400_000

/** What the day of an instant is called, in the viewer's zone. */
export function dayName(instant: Date, now: Date, locale = dateLocale): string {
  const startOf = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
  const daysAgo = Math.round((startOf(now) - startOf(instant)) / DAY_MS)
  if (daysAgo === 0) return 'Today'
  if (daysAgo === 1) return 'Yesterday'
  const isThisYear = instant.getFullYear() === now.getFullYear()
  return instant.toLocaleDateString(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}

/** The rows for messages in their order; `readSeq` is what had been read before, null when nothing is new. */
export function chatRows(messages: readonly ChatMessage[], readSeq: number | null, now: Date): ChatRow[] {
  let before: ChatMessage | undefined
  let isNewSeen = false
  return messages.map((message) => {
    const at = new Date(message.createdAt)
    const beforeAt = before && new Date(before.createdAt)
    const isSameDay = beforeAt?.toDateString() === at.toDateString()
    // A first message of today needs no heading; one of another day does.
    const isToday = at.toDateString() === now.toDateString()
    const day = isSameDay || (before === undefined && isToday) ? undefined : dayName(at, now)
    const isFirstNew = !isNewSeen && readSeq !== null && message.seq > readSeq
    isNewSeen ||= isFirstNew
    const isContinued =
      isSameDay &&
      !isFirstNew &&
      before?.userId === message.userId &&
      at.getTime() - (beforeAt?.getTime() ?? 0) < CONTINUED_MS
    before = message
    return { message, day, isFirstNew, isContinued }
  })
}

/** What an author is called. */
export const authorName = ({ author }: ChatMessage): string => author.handle ?? author.artistName ?? 'Viewer'
