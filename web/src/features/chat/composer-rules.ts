import { CHAT_MESSAGE_MAX, type ChatRestriction } from '@looptide/contracts/http/chat'
import { ApiError } from '../../lib/api-error.ts'
import { dateLocale } from '../../lib/date-locale.ts'

/** From so few characters left on, they are counted down. */
const COUNTED_FROM = 100

/** Whether the writer may not write here at all. */
export const isRefused = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 403

/** The words for a message that was not taken (docs/product/viewer.md §8); a refusal for its pace is told otherwise. */
export const sendFailureText = (failure: unknown): string =>
  isRefused(failure) ? 'Failed to send message. You may be restricted from chat.' : 'Failed to send message.'

/** How long the server wants the writer to wait (ms); undefined when that is not why it refused. */
export const retryAfterMs = (failure: unknown): number | undefined =>
  failure instanceof ApiError && failure.status === 429 ? (failure.retryAfterMs ?? 1000) : undefined

/**
 * How much room is left, as the server counts: by characters, not by UTF-16 units. `shown` once it runs short; below
 * zero nothing can be sent.
 */
export function roomLeft(text: string): { left: number; shown: boolean } {
  const left = CHAT_MESSAGE_MAX - [...text.trim()].length
  return { left, shown: left <= COUNTED_FROM }
}

/** A length of time in words, rounded to what one cares about. */
export function durationText(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ['second', 1]
  const count = Math.max(1, Math.round(seconds / size))
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** What is left of a wait, as it is counted down. */
export const countdownText = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Why the input is closed, and until when. `end` is when in the viewer's words, null for no end. */
export function restrictionText({ restrictionType }: ChatRestriction, end: string | null): string {
  if (restrictionType === 'restricted') return 'Your account is restricted, so you cannot chat.'
  if (end === null) return 'You have been banned from chat.'
  return `You have been timed out. You can chat again ${end}.`
}

/** When a time-out ends: the time, and the day too if that is another one. */
export function endText(expiresAt: string, now: Date, locale = dateLocale): string {
  const end = new Date(expiresAt)
  const time = end.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
  if (end.toDateString() === now.toDateString()) return `at ${time}`
  return `on ${end.toLocaleDateString(locale, { day: 'numeric', month: 'long' })} at ${time}`
}
