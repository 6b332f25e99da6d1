import type { OwnRequest, ViewerRequest } from '@looptide/contracts/http/requests'
import { clockTime, dayAndTime } from '../time/date-locale.ts'
import { ruleReason } from './rule-texts.ts'

/** An instant: the time alone on the same day of the viewer, else with the day of the week. */
export const whenText = (epochMs: number, nowMs: number): string =>
  new Date(epochMs).toDateString() === new Date(nowMs).toDateString()
    ? clockTime(epochMs)
    : dayAndTime(epochMs)

/** Why a video is not possible now, and from when on it is, as far as that is known. */
export function ruleText({ rule, until }: { rule: string; until: string | null }, nowMs: number): string {
  const text = ruleReason(rule)
  return until === null ? text : `${text} Possible after ${whenText(Date.parse(until), nowMs)}.`
}

/** What becomes of a request that waits. */
export function stateText({ expectedAt, blockedBy }: ViewerRequest, nowMs: number): string {
  if (expectedAt !== null) return `Expected at ${whenText(Date.parse(expectedAt), nowMs)}`
  return blockedBy === null ? 'Waiting for its turn' : ruleText(blockedBy, nowMs)
}

/** What has become of an own request, or will. */
export function ownStateText(request: OwnRequest, nowMs: number): string {
  const { state, endedAt, isByStaff, reason, expectedAt, movedFrom } = request
  const by = isByStaff ? ' by staff' : ''
  const at = endedAt === null ? '' : ` at ${whenText(Date.parse(endedAt), nowMs)}`
  if (state === 'refused') return `Refused${by}${at}: ${reason}`
  if (state === 'withdrawn') return `Withdrawn${by}${at}`
  if (state === 'aired') return `On the air${at}`
  const text = stateText(request, nowMs)
  if (movedFrom === null || movedFrom === expectedAt) return text
  return `${text}${text.endsWith('.') ? '' : ','} before at ${whenText(Date.parse(movedFrom), nowMs)}`
}

const isSameMinute = (a: string | null, b: string | null): boolean =>
  a === b || (a !== null && b !== null && Math.abs(Date.parse(a) - Date.parse(b)) < 60_000)

/** What a viewer is notified of after a change of an own request; undefined for what they have done themselves. */
export function noticeOf(
  before: OwnRequest,
  now: OwnRequest,
  nowMs: number,
): { title: string; description: string; tone?: 'error' | 'success' } | undefined {
  const description = `“${now.video.title}”: ${ownStateText(now, nowMs)}`
  if (before.state !== now.state) {
    if (now.state === 'refused') return { title: 'Your request was refused', description, tone: 'error' }
    if (now.state === 'withdrawn' && now.isByStaff)
      return { title: 'Your request was withdrawn', description, tone: 'error' }
    if (now.state === 'aired') return { title: 'Your request is on', description, tone: 'success' }
    if (now.state === 'planned' && before.state === 'waiting')
      return { title: 'Your request is planned', description }
  }
  if (now.endedAt !== null || isSameMinute(before.expectedAt, now.expectedAt)) return undefined
  return { title: 'Your request has moved', description }
}
