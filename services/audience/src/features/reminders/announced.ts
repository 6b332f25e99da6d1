import { Announced } from '@looptide/contracts/http/guide'
import { errors } from '@looptide/service-kit/http/errors'
import { callInternal } from '@looptide/service-kit/identity/internal'
import { Check } from 'typebox/value'

const WHAT = 'The guide'

/** Reads what the guide of a channel announces. Throws `not_found` for an unknown channel, `service_unavailable`. */
export type ReadAnnounced = (channelId: string) => Promise<Announced>

/** {@link ReadAnnounced} of the scheduler. Guides do not show a channel that is not active: it announces nothing. */
export const createReadAnnounced =
  ({ schedulerUrl, internalToken }: { schedulerUrl: string; internalToken: string }): ReadAnnounced =>
  async (channelId) => {
    const url = `${schedulerUrl}/internal/channels/${channelId}/announced`
    const found = await callInternal(url, WHAT, { internalToken })
    if (!Check(Announced, found)) throw errors.unavailable(WHAT)
    return found.isActive ? found : { ...found, programmes: [], laterBlocks: [], specials: [] }
  }
