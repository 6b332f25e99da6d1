import type { Channel } from '@looptide/contracts/http/channels'
import { MAX_WAITING_REQUESTS } from '@looptide/contracts/http/requests'
import { ApiError } from '../../lib/api/api-error.ts'
import { ruleText, whenText } from '../../lib/requests/request-times.ts'
import { waitText } from '../../lib/time/time-ago.ts'

/** How a channel chooses the next request, in one line; nothing if that is not known. */
export function choiceText({ requestSlots = [] }: Pick<Channel, 'requestSlots'>): string {
  const isByTurns = requestSlots.includes('turns')
  const isByVotes = requestSlots.includes('votes')
  if (isByTurns && isByVotes)
    return 'Some slots go to the person whose requests were on for the fewest minutes, others are decided by votes, of which every group gets its share.'
  if (isByTurns) return 'Next is the person whose requests were on for the fewest minutes.'
  return isByVotes ? 'Votes decide which is next, so that every group of voters gets its share.' : ''
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
