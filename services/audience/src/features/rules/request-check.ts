import { RequestCheck } from '@looptide/contracts/http/requests'
import { errors } from '@looptide/service-kit/http/errors'
import { callInternal } from '@looptide/service-kit/identity/internal'
import { Check } from 'typebox/value'

const WHAT = 'The scheduler'

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
