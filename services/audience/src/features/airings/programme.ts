import { type AirLogEntry, AirLogPage } from '@looptide/contracts/http/channels'
import { errors } from '@looptide/service-kit/http/errors'
import { callInternal } from '@looptide/service-kit/identity/internal'
import { Check } from 'typebox/value'

const WHAT = 'The scheduler'

/** The entry of the air log of a programme that started at an instant; undefined if there is none. */
export type FindProgramme = (channelId: string, startsAtMs: number) => Promise<AirLogEntry | undefined>

/** {@link FindProgramme} over HTTP. Throws `service_unavailable` without an answer. */
export const createFindProgramme =
  ({ schedulerUrl, internalToken }: { schedulerUrl: string; internalToken: string }): FindProgramme =>
  async (channelId, startsAtMs) => {
    const url = `${schedulerUrl}/api/channels/${channelId}/air-log?beforeMs=${startsAtMs + 1}&limit=1`
    const page = await callInternal(url, WHAT, { internalToken })
    if (!Check(AirLogPage, page)) throw errors.unavailable(WHAT)
    return page.items.find(({ startedAtMs }) => startedAtMs === startsAtMs)
  }
