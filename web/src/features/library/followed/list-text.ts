import {
  type FollowedList,
  type ListProblem,
  MAX_FOLLOWED_ITEMS,
} from '@looptide/contracts/http/followed-lists'
import { numberText } from '../../../lib/count-text.ts'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { videoCountText } from '../../admin/video-texts.ts'

/** The title on YouTube, or the URL until it is known. */
export const nameOf = ({ title, url }: Pick<FollowedList, 'title' | 'url'>): string => title ?? url

/** Where new videos go. */
export const intakeText = ({ intake, category, tag }: FollowedList): string =>
  intake === 'direct'
    ? `New videos are added to ${category} with the tag “${tag}”.`
    : `New videos go to Submissions with the tag “${tag}”.`

/** The size of the list and its number of new videos; empty before the first check. */
export function countText({ itemCount, newCount, lastNewAt }: FollowedList, nowMs: number): string {
  if (itemCount === null) return ''
  const items = `${videoCountText(itemCount)} on YouTube`
  const limit = itemCount > MAX_FOLLOWED_ITEMS ? ` (${numberText(MAX_FOLLOWED_ITEMS)} are followed)` : ''
  const found =
    lastNewAt === null ? 'none new so far' : `${numberText(newCount)} new, last ${timeAgo(lastNewAt, nowMs)}`
  return `${items}${limit}, ${found}.`
}

/** When the list was checked last, and when it will be again. */
export function checkText(list: FollowedList, nowMs: number): string {
  const { checkedAt, nextCheckAt, isChecking, isPaused } = list
  const last = checkedAt === null ? 'Not checked yet.' : `Checked ${timeAgo(checkedAt, nowMs)}.`
  if (isPaused) return `Paused. ${last}`
  if (isChecking) return `Checking... ${last}`
  return nextCheckAt === null ? last : `${last} Next check ${timeText(nextCheckAt, nowMs)}.`
}

/** Why a list cannot be read, and what to do. */
export function problemText({ code, message, continuesAt }: ListProblem, nowMs: number): string {
  switch (code) {
    case 'not_found':
      return 'YouTube has no public list at this URL. It is private, deleted, or the URL is wrong.'
    case 'no_api_key':
      return 'Following a list requires a YouTube API key. Ask the operator to set YOUTUBE_API_KEY.'
    case 'quota_exhausted':
      return `Today’s YouTube quota is used up. Checks continue${continuesAt === null ? ' tomorrow' : ` ${timeText(continuesAt, nowMs)}`}.`
    case 'refused':
      return `YouTube rejected the request: ${message}. Ask the operator to check YOUTUBE_API_KEY.`
    case 'unreachable':
      return `The list could not be read (${message}). The next check will try again.`
    case 'no_answer':
      return 'The metadata worker is not responding. If this continues, contact the operator.'
  }
}

const DAY_MS = 86_400_000
/** "at 5:00 PM", with the date if it is more than a day away. */
function timeText(instant: string, nowMs: number): string {
  const at = new Date(instant)
  const time = at.toLocaleTimeString(dateLocale, { hour: 'numeric', minute: '2-digit' })
  if (at.getTime() - nowMs < DAY_MS) return `at ${time}`
  return `on ${at.toLocaleDateString(dateLocale, { day: 'numeric', month: 'long' })} at ${time}`
}
