import { RequestCheck } from '@looptide/contracts/http/requests'
import { may } from '@looptide/contracts/permissions'
import { errors } from '@looptide/service-kit/http/errors'
import { callInternal } from '@looptide/service-kit/identity/internal'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import { Check } from 'typebox/value'

/** Channels that were active are asked for again after this time, in ms: no longer is a hidden one shown. */
const VISIBLE_MS = 10_000
const WHAT = 'The scheduler'

/** The id of no video, for questions about a channel alone. */
export const NO_VIDEO = '00000000-0000-0000-0000-000000000000'

/** Asks the scheduler whether a channel would air a video now. Throws `not_found` for an unknown channel. */
export type CheckRequest = (channelId: string, videoId: string) => Promise<RequestCheck>

/** {@link CheckRequest} over HTTP. Throws `service_unavailable` without an answer: only the scheduler knows the rules. */
export const createCheckRequest =
  ({ schedulerUrl, internalToken }: { schedulerUrl: string; internalToken: string }): CheckRequest =>
  async (channelId, videoId) => {
    const url = `${schedulerUrl}/internal/channels/${channelId}/request-check?videoId=${videoId}`
    const found = await callInternal(url, WHAT, { internalToken })
    if (!Check(RequestCheck, found)) throw errors.unavailable(WHAT)
    return found
  }

/** Throws `not_found` for a channel that a user (null: a visitor) does not see: an unknown one, or an inactive one, except for staff. */
export type RequireVisible = (channelId: string, user: Pick<RequestUser, 'role'> | null) => Promise<void>

/** {@link RequireVisible} by what the scheduler says, at most every 10 s for each channel that is active. */
export function createRequireVisible(check: CheckRequest, now: () => number): RequireVisible {
  const visibleUntilMs = new Map<string, number>()
  return async (channelId, user) => {
    if (may(user?.role, 'schedules:edit') || now() < (visibleUntilMs.get(channelId) ?? 0)) return
    visibleUntilMs.delete(channelId)
    if (!(await check(channelId, NO_VIDEO)).isActive) throw errors.notFound('This channel')
    visibleUntilMs.set(channelId, now() + VISIBLE_MS)
  }
}
