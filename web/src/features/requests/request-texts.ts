import { MAX_WAITING_REQUESTS, type ViewerRequest } from '@looptide/contracts/http/requests'
import { ApiError } from '../../lib/api/api-error.ts'
import { ruleReason } from '../../lib/requests/rule-texts.ts'
import { clockTime, dayAndTime } from '../../lib/time/date-locale.ts'
import { waitText } from '../../lib/time/time-ago.ts'

const DAY_MS = 86_400_000

/** An instant within the next days: the time alone if it is less than a day away. */
const whenText = (epochMs: number, nowMs: number): string =>
  epochMs - nowMs < DAY_MS ? clockTime(epochMs) : dayAndTime(epochMs)

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

/** Why a request or a vote was refused. Undefined for outages and for refusals whose message says it. */
export function refusalText(failure: unknown, nowMs: number): string | undefined {
  if (!(failure instanceof ApiError)) return undefined
  const { rule, until = null, missingMs } = failure.refusal
  if (failure.code === 'request_not_possible' && rule !== undefined) return ruleText({ rule, until }, nowMs)
  if (failure.code === 'request_limit')
    return `You have ${MAX_WAITING_REQUESTS} requests waiting. Withdraw one, or wait until one has been on.`
  if (failure.code === 'account_too_new' && until !== null)
    return `Your account is new. It can request videos after ${whenText(Date.parse(until), nowMs)}.`
  if (failure.code === 'not_watching' && missingMs !== undefined)
    return `Votes are for people who watch. Watch for ${waitText(missingMs)} more, then vote.`
  return undefined
}
