import { gatewayNowPlayingList, gatewayNowPlayingRead } from '@looptide/contracts/operations/gateway'
import { cachedText } from '@looptide/service-kit/http/cached-text'
import { errors } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OwnResponses } from '../fast-path/own-responses.ts'
import type { LocalLimits } from '../http/local-limits.ts'
import type { NowPlayingSource } from './now-playing-source.ts'

interface NowPlayingRoutesDeps {
  source: NowPlayingSource
  own: OwnResponses
  limits: LocalLimits
  /** Wall clock, epoch ms. */
  now: () => number
}

/**
 * The routes of what is on, as JSON. Clients within a second share one text, because its seconds are the same. The ETag is
 * that of the text: with one that ignored `elapsed`, HTTP caches would repeat an old time.
 */
export function nowPlayingRoutes({ source, own, limits, now }: NowPlayingRoutesDeps): Route[] {
  const send = (request: FastifyRequest, reply: FastifyReply, path: string, body: object) => {
    const second = Math.floor(now() / 1000)
    return own.send(request, reply, {
      path,
      text: cachedText(JSON.stringify(body)),
      cacheControl: 'public, no-cache',
      limit: 'now',
      isCurrent: () => Math.floor(now() / 1000) === second,
    })
  }
  const hooks = { onRequest: limits.hook('now') }
  return [
    route(
      gatewayNowPlayingList,
      async ({ request, reply }) => send(request, reply, '/api/nowplaying', await source.all()),
      hooks,
    ),
    route(
      gatewayNowPlayingRead,
      async ({ params: { channelId }, request, reply }) => {
        const channel = await source.find(channelId)
        if (channel === undefined) throw errors.notFound('This channel')
        return send(request, reply, `/api/nowplaying/${channelId}`, await source.of(channel))
      },
      hooks,
    ),
  ]
}
