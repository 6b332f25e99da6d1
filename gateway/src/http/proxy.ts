import { createGunzip, type Gunzip } from 'node:zlib'
import type { App } from '@looptide/service-kit/http/app'
import { acceptsGzip } from '@looptide/service-kit/http/cached-text'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import { traceHeadersOf } from '@looptide/service-kit/http/request-tracing'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Upstreams } from '../config.ts'
import type { SharedResponses, SharedRoute } from '../fast-path/shared-responses.ts'
import type { ClientReader } from '../limits/client-reader.ts'
import { scaledLimit } from '../limits/network-buckets.ts'
import { NetworkTurns, type TurnLimits } from '../limits/network-turns.ts'
import { isRead } from './is-read.ts'
import { type LocalLimits, tooManyRequests } from './local-limits.ts'
import type { PersonalTokens } from './personal-tokens.ts'
import { keepsShared, PROXY_ROUTES, sharedRoutesOf } from './proxy-routes.ts'
import type { CountRequest, CreateLimit } from './rate-limits.ts'
import {
  endToEndHeaders,
  type HeaderMap,
  isInvalidRequest,
  Upstream,
  type UpstreamAnswer,
} from './upstream.ts'

/** Requests per client network and minute to all prefixes without a limit of their own. Services have stricter ones. */
export const READS_PER_MINUTE = 6000
export const WRITES_PER_MINUTE = 1200

/** Headers that services accept from the gateway only. They are removed from client requests. */
const RESERVED_HEADERS = [
  'x-internal-token',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'traceparent',
  'tracestate',
  'baggage',
]

/**
 * Requests of one network that a service handles at the same time, for each prefix. Fewer than the connections to the
 * service, also for an IPv6 /48. `factor`: `RATE_LIMIT_FACTOR`, which can only raise them.
 */
const turnLimits = (factor: number): TurnLimits => ({
  concurrent: scaledLimit(12, Math.max(1, factor)),
  waiting: scaledLimit(256, Math.max(1, factor)),
})
/** Time after which a client may try again when too many of its requests wait, in ms. */
const CROWDED_RETRY_MS = 1000

interface ProxyOptions {
  upstreams: Upstreams
  /** Largest proxied body, in bytes. */
  bodyLimit: number
  /** `RATE_LIMIT_FACTOR` */
  factor: number
  /** Creates limits of requests by client network. */
  createLimit: CreateLimit
  clients: ClientReader
  shared: SharedResponses
  personalTokens: PersonalTokens
  limits: LocalLimits
}

/** Proxies requests to the services. An unreachable service is a 503 in our error format. */
export async function proxyRoutes(app: App, options: ProxyOptions): Promise<void> {
  const { createLimit, bodyLimit } = options
  // Bodies are read completely and not parsed. The service parses them.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body))
  const general = createLimit({ name: 'proxied', reads: READS_PER_MINUTE, writes: WRITES_PER_MINUTE })
  for (const route of PROXY_ROUTES) {
    const { prefix, perMinute, service } = route
    const address = options.upstreams[service]
    // Paths of a service that the station runs without are unknown ones.
    if (address === undefined) continue
    const countRequest =
      perMinute === undefined ? general : createLimit({ name: prefix, reads: perMinute, writes: perMinute })
    await app.register(proxyRoute, { ...options, address, route, countRequest })
  }
}

type RouteOptions = ProxyOptions & {
  /** Of the route's service. */
  address: string
  route: (typeof PROXY_ROUTES)[number]
  countRequest: CountRequest
}

async function proxyRoute(app: App, options: RouteOptions): Promise<void> {
  const { prefix, service, invalidatesShared = false } = options.route
  const sharedRoutes = sharedRoutesOf(options.route)
  // Otherwise the handler counts the request, unless the response is cached.
  if (sharedRoutes.length === 0) app.addHook('onRequest', options.countRequest)
  if (prefix.startsWith('/api/')) {
    const { personalTokens, limits } = options
    // After the hooks that limit requests.
    app.addHook('preHandler', (request) => personalTokens.replaceIn(request, limits))
  }
  if (invalidatesShared) {
    // A client must see its own change in the next read.
    app.addHook('onSend', async (request) => {
      if (!isRead(request) && !keepsShared(request.url)) options.shared.invalidate(service)
    })
  }
  const upstream = new Upstream(options.address)
  app.addHook('onClose', () => upstream.close())
  const handler = proxyHandler({ ...options, sharedRoutes }, upstream)
  for (const url of [prefix, `${prefix}/*`])
    app.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      config: { operation: `gateway.proxy.${service}` },
      handler,
    })
}

/** Serves shared responses from memory. Everything else takes a turn of its network at the service. */
function proxyHandler(options: RouteOptions & { sharedRoutes: SharedRoute[] }, upstream: Upstream) {
  const { shared, route, sharedRoutes, countRequest, clients, factor } = options
  const turns = new NetworkTurns(turnLimits(factor))
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    refuseTraversal(request.url)
    const sharedRoute = sharedRoutes.find((candidate) => shared.isShared(request, candidate))
    const load = async () =>
      sharedRoute && shared.load(route.service, sharedRoute, request.url, gatewayHeaders(request, options))
    const isCached = sharedRoute !== undefined && shared.has(sharedRoute.group ?? route.service, request.url)
    if (!isCached && sharedRoutes.length > 0) await countRequest(request)
    const cached = isCached ? await load() : undefined
    if (cached !== undefined) return shared.send(request, reply, cached)
    // A turn ends with the service's answer: the client then reads the answer at its own pace.
    const turn = { client: clients.networkOf(request.raw), response: reply.raw }
    const answer = await turns.run(turn, async () => {
      const loaded = isCached ? undefined : await load()
      return loaded ?? (await forward(request, options, upstream))
    })
    if (answer === 'crowded') throw tooManyRequests(CROWDED_RETRY_MS)
    if (answer === 'gone') throw new AppError('bad_request', 'The client has disconnected.')
    if ('text' in answer) return shared.send(request, reply, answer)
    return sendAnswer(request, reply, answer)
  }
}

function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: UpstreamAnswer,
): FastifyReply {
  const sent = endToEndHeaders(headers)
  // Only the answer to a request that the gateway itself has made for a compressed one.
  const isExpanded = headers['content-encoding'] === 'gzip' && !acceptsGzip(request)
  if (isExpanded) for (const name of ['content-encoding', 'content-length']) delete sent[name]
  reply.status(status).headers(sent)
  if (body.length === 0) return reply.send()
  return reply.send(isExpanded ? expanded(body) : body)
}

/** The text of a compressed one, computed at the pace of its reader. */
function expanded(body: Buffer): Gunzip {
  const text = createGunzip()
  text.end(body)
  return text
}

/** The router reads a path as it is; a service could resolve `..` in it, and leave the prefix. */
function refuseTraversal(url: string): void {
  const path = decodeURIComponent(url.split('?', 1)[0] ?? '')
  if (path.split(/[/\\]/).includes('..'))
    throw new AppError('bad_request', 'The request target is malformed.')
}

/** Throws `service_unavailable`, or `bad_request` for a request that the client could not have sent to the service either. */
async function forward(
  request: FastifyRequest,
  options: RouteOptions,
  upstream: Upstream,
): Promise<UpstreamAnswer> {
  const { method, url: path, body } = request
  try {
    return await upstream.send({
      method: method as 'GET',
      path,
      headers: requestHeaders(request, options),
      body: isRead(request) || !(body instanceof Buffer) ? null : body,
    })
  } catch (error) {
    if (isInvalidRequest(error)) throw new AppError('bad_request', 'The request is not valid HTTP.')
    throw errors.unavailable(`The ${options.route.service} service`, error)
  }
}

/** Headers that the gateway adds to each request. */
const gatewayHeaders = (request: FastifyRequest, { clients }: ProxyOptions): HeaderMap => ({
  ...traceHeadersOf(request),
  'x-request-id': request.id,
  'x-forwarded-for': clients.ipOf(request.raw),
  'x-forwarded-host': request.headers.host,
  'x-forwarded-proto': request.protocol,
})

function requestHeaders(request: FastifyRequest, options: RouteOptions): HeaderMap {
  const forwarded = endToEndHeaders(request.headers)
  // The body was read: its length is that of the forwarded one.
  for (const name of [...RESERVED_HEADERS, 'host', 'content-length']) delete forwarded[name]
  if (options.route.heldCompressed) forwarded['accept-encoding'] = 'gzip'
  return { ...forwarded, ...gatewayHeaders(request, options) }
}
