import { randomUUID } from 'node:crypto'
import { gatewayNowRead } from '@looptide/contracts/operations/gateway'
import { cachedText } from '@looptide/service-kit/http/cached-text'
import { errors } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { ChannelStateCache } from '../channels/channel-state-cache.ts'
import type { LocalLimits } from '../http/local-limits.ts'
import { currentFor, type OwnResponses } from './own-responses.ts'

/** Time for which clients share one state, in ms. Its `serverNowMs` is off by at most this, which is network jitter. */
const SHARED_MS = 20

interface NowRouteDeps {
  states: ChannelStateCache
  limits: LocalLimits
  own: OwnResponses
}

/** The route of a channel's current state, from memory. Works while the scheduler is down, for any number of viewers. */
export const nowRoute = ({ states, limits, own }: NowRouteDeps): Route =>
  route(
    gatewayNowRead,
    async ({ params: { id }, request, reply }) => {
      const result = await states.load(id)
      if (result === 'absent') throw errors.notFound('This channel')
      const json = states.json(id)
      if (json === null) throw errors.unavailable('The programme')
      const version = states.versionOf(id)
      const isRecent = currentFor(SHARED_MS)
      return own.send(request, reply, {
        path: `/api/channels/${id}/now`,
        text: cachedText(json, `W/"${randomUUID()}"`),
        cacheControl: 'no-cache',
        limit: 'now',
        isCurrent: () => version !== null && isRecent() && states.versionOf(id) === version,
      })
    },
    { onRequest: limits.hook('now') },
  )
