import { CHAT_MESSAGE_MAX, type ChatRestriction } from '@looptide/contracts/http/chat'
import { ApiError } from '../../lib/api/api-error.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'

/** The remaining characters are shown from this number on. */
const COUNTED_FROM = 100

/** Whether the server refused because the user may not write at all. */
export const isRefused = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 403

/** The error text for a failed message (docs/product/viewer.md §8), except rate limits. */
export function sendFailureText(failure: unknown): string {
  if (failure instanceof ApiError && failure.code === 'message_refused') return failure.message
  return isRefused(failure)
    ? 'Failed to send message. You may be restricted from chat.'
    : 'Failed to send message.'
}

/** The waiting time of a rate-limit refusal, in ms; undefined for other failures. */
export const retryAfterMs = (failure: unknown): number | undefined =>
  failure instanceof ApiError && failure.status === 429 ? (failure.retryAfterMs ?? 1000) : undefined

/**
 * The remaining length of a message, in code points like on the server, not in UTF-16 units. `shown` when little is
 * left; if negative, the message cannot be sent.
 */
export function remainingLength(text: string): { left: number; shown: boolean } {
  const left = CHAT_MESSAGE_MAX - [...text.trim()].length
  return { left, shown: left <= COUNTED_FROM }
}

/**
 * The beginning of an inserted text that still fits between what is before and after it, and the number of characters
 * that were cut off. An insertion may be a megabyte, which would block the page if it were rendered.
 */
export function cutToLimit(text: { before: string; inserted: string; after: string }) {
  const used = [...text.before].length + [...text.after].length
  const characters = [...text.inserted.replaceAll('\r\n', '\n')]
  const fitting = characters.slice(0, Math.max(0, CHAT_MESSAGE_MAX - used))
  return { fitting: fitting.join(''), cutCount: characters.length - fitting.length }
}

/** A duration as text, rounded to its largest unit. */
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

/** The remaining waiting time for a countdown. */
export const countdownText = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Why the user cannot write. `end` is the end of the restriction as text, null for none. */
export function restrictionText({ restrictionType }: ChatRestriction, end: string | null): string {
  if (restrictionType === 'restricted') return 'Your account is restricted, so you cannot chat.'
  if (end === null) return 'You have been banned from chat.'
  return `You have been timed out. You can chat again ${end}.`
}

/** The end of a time-out: the time, and the date unless it is today. */
export function endText(expiresAt: string, now: Date, locale = dateLocale): string {
  const end = new Date(expiresAt)
  const time = end.toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' })
  if (end.toDateString() === now.toDateString()) return `at ${time}`
  return `on ${end.toLocaleDateString(locale, { day: 'numeric', month: 'long' })} at ${time}`
}
