import type { ChatMessage } from '@looptide/contracts/http/chat'
import { dateLocale } from '../../lib/time/date-locale.ts'

/** A rendered line of the chat. */
export interface ChatRow {
  message: ChatMessage
  /** The name of the day, if the message is its first. */
  day: string | undefined
  /** Whether it is the first message that was unread when the chat was opened. */
  isFirstNew: boolean
  /** Whether it closely follows a message of the same author, so that the name is omitted. */
  isContinued: boolean
}

/** After this time the author's name is shown again. */
const CONTINUED_MS = 5 * 60_000
const DAY_MS = 86_400_000

/** The name of an instant's day, in the viewer's time zone. */
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

/** The rows of messages; `readSeq` is the last message read before, null if nothing is new. */
export function chatRows(messages: readonly ChatMessage[], readSeq: number | null, now: Date): ChatRow[] {
  let before: ChatMessage | undefined
  let isNewSeen = false
  return messages.map((message) => {
    const at = new Date(message.createdAt)
    const beforeAt = before && new Date(before.createdAt)
    const isSameDay = beforeAt?.toDateString() === at.toDateString()
    // The first message gets a heading only if it is not of today.
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

/** The display name of an author. */
export const authorName = ({ author }: ChatMessage): string => author.handle ?? author.artistName ?? 'Viewer'
