import { gatewayBroadcastSend, gatewayBroadcastSendOne } from '@looptide/contracts/operations/gateway'
import type { App } from '@looptide/service-kit/http/app'
import { errors } from '@looptide/service-kit/http/errors'
import { bindRoute } from '@looptide/service-kit/routes/bind-routes'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { FastifyRequest } from 'fastify'
import type { LocalLimits } from '../http/local-limits.ts'
import type { ClientReader } from '../limits/client-reader.ts'
import { type Broadcaster, type BroadcastHub, HttpBroadcasts } from './http-broadcasts.ts'
import type { Identity } from './identity.ts'
import { isWithinJsonBounds } from './protocol/json-bounds.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The sender of a broadcast over HTTP; null on all other routes. */
    broadcaster: Broadcaster | null
  }
}

const BEARER = /^Bearer +(\S+)$/i

interface BroadcastRouteOptions {
  hub: BroadcastHub
  limits: LocalLimits
  clients: ClientReader
}

/**
 * Broadcasts over HTTP, compatible with Supabase Realtime: `POST /realtime/v1/api/broadcast` with a list of messages, and
 * `…/broadcast/{topic}/events/{event}` with one payload (the stock client's `send` and `httpSend`). Responds 202 without
 * a body. The token is verified before the body is read. Returns the routes.
 */
export async function broadcastRoutes(
  app: App,
  { hub, limits, clients }: BroadcastRouteOptions,
): Promise<Route[]> {
  const broadcasts = new HttpBroadcasts(hub)
  const routes = [
    route(gatewayBroadcastSend, ({ request, body }) => {
      const outgoing = body.messages.map(({ topic, event, payload = {} }) => ({
        topic,
        broadcast: { event, json: JSON.stringify(payload) },
      }))
      broadcasts.send(callerOf(request), outgoing)
    }),
    route(gatewayBroadcastSendOne, ({ request, params: { topic, event } }) => {
      const { body } = request
      if (body === undefined) throw errors.validation('A payload is required.')
      const message = body instanceof Buffer ? { bytes: body } : { json: JSON.stringify(body) }
      broadcasts.send(callerOf(request), [{ topic, broadcast: { event, ...message } }])
    }),
  ]
  app.decorateRequest('broadcaster', null)
  await app.register(async (plugin) => {
    const scope = plugin as App
    addBodyParsers(scope, hub)
    scope.addHook('onRequest', limits.hook('broadcast'))
    scope.addHook('onRequest', async (request) => {
      request.broadcaster = {
        identity: await identify(hub, request),
        client: clients.networkOf(request.raw),
      }
    })
    for (const broadcast of routes) await bindRoute(scope, broadcast)
  })
  return routes
}

/** Accepts raw bytes, and JSON within the bounds of a socket's message, which are checked before parsing. */
function addBodyParsers(scope: App, hub: BroadcastHub): void {
  const parseJson = scope.getDefaultJsonParser('error', 'error')
  scope.removeContentTypeParser(['application/json', 'text/plain'])
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    const isWithin = isWithinJsonBounds(text as string, hub.deps.limits.private.json)
    if (isWithin) void parseJson(request, text as string, done)
    else done(errors.validation('The body is nested too deeply or contains too many values.'))
  })
  scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, bytes, done) =>
    done(null, bytes),
  )
}

/** The identity of the bearer token. Throws `unauthorized`, or `service_unavailable` while auth is unreachable. */
async function identify(hub: BroadcastHub, { headers }: FastifyRequest): Promise<Identity> {
  const token = BEARER.exec(headers.authorization ?? '')?.[1]
  if (token === undefined) throw errors.unauthorized()
  const result = await hub.deps.identities.check(token)
  if (result === 'unknown') throw errors.unavailable('The sign-in service')
  if (typeof result === 'string') throw errors.unauthorized()
  return result.identity
}

function callerOf({ broadcaster }: FastifyRequest): Broadcaster {
  if (broadcaster === null) throw errors.unauthorized()
  return broadcaster
}
