import { createGunzip, type Gunzip } from 'node:zlib'
import type { App } from '@looptide/service-kit/http/app'
import { acceptsGzip } from '@looptide/service-kit/http/cached-text'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import { traceHeadersOf } from '@looptide/service-kit/tracing/request-tracing'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceName } from '../config.ts'
import type { SharedResponses, SharedRoute } from '../fast-path/shared-responses.ts'
import type { ClientReader } from '../limits/client-reader.ts'
import { scaledLimit } from '../limits/network-buckets.ts'
import { NetworkTurns, type TurnLimits } from '../limits/network-turns.ts'
import { isRead } from './is-read.ts'
import { type LocalLimits, tooManyRequests } from './local-limits.ts'
import type { PersonalTokens } from './personal-tokens.ts'
import type { CountRequest, CreateLimit } from './rate-limits.ts'
import {
  endToEndHeaders,
  type HeaderMap,
  isInvalidRequest,
  Upstream,
  type UpstreamAnswer,
} from './upstream.ts'

interface ProxyRoute {
  prefix: string
  service: ServiceName
  /** Stricter limit for large responses, in requests per client network and minute. */
  perMinute?: number
  /** Responses that are the same for every client and are cached in memory. */
  shared?: readonly SharedRoute[]
  /** Writes below this prefix change shared responses of the service. */
  invalidatesShared?: boolean
  /**
   * Answers of tens of megabytes. They are held compressed, and expanded while a client that accepts no compression reads
   * them.
   */
  heldCompressed?: boolean
}

/** Parts of data exports. A page has up to some megabytes. */
const EXPORTS: readonly ProxyRoute[] = [
  { prefix: '/api/export/account', service: 'auth', perMinute: 60 },
  { prefix: '/api/export/playlists', service: 'catalogue', perMinute: 60 },
  { prefix: '/api/export/videos', service: 'catalogue', perMinute: 60 },
  { prefix: '/api/export/messages', service: 'chat', perMinute: 60 },
]

/** The service behind each path prefix. `/internal` is not listed and therefore unreachable. */
export const PROXY_ROUTES: readonly ProxyRoute[] = [
  { prefix: '/auth/v1', service: 'auth' },
  { prefix: '/api/me', service: 'auth' },
  { prefix: '/api/profiles', service: 'auth' },
  { prefix: '/api/users', service: 'auth' },
  {
    prefix: '/api/videos',
    service: 'catalogue',
    // `all` includes private videos, which only some users may see.
    shared: [{ pattern: /^\/api\/videos(\?(?!.*\ball=)|$)/ }],
    invalidatesShared: true,
  },
  { prefix: '/api/submissions', service: 'catalogue', invalidatesShared: true },
  { prefix: '/api/followed-lists', service: 'catalogue' },
  { prefix: '/api/search', service: 'catalogue', shared: [{ pattern: /^\/api\/search(\?|$)/ }] },
  { prefix: '/api/home', service: 'catalogue', shared: [{ pattern: /^\/api\/home(\?|$)/ }] },
  { prefix: '/api/curation', service: 'catalogue', invalidatesShared: true },
  { prefix: '/api/playlists', service: 'catalogue' },
  {
    prefix: '/api/channels',
    service: 'stream-scheduler',
    shared: [
      // Users who edit schedules also see inactive channels.
      { pattern: /^\/api\/channels(\?|$)/, differsFor: 'schedules:edit' },
      { pattern: /^\/api\/channels\/[^/?]+\/guide(\?|$)/ },
      { pattern: /^\/api\/channels\/[^/?]+\/air-log(\?|$)/, group: 'air-log' },
      { pattern: /^\/api\/channels\/[^/?]+\/programmes\/[^/?]+\/substitutes$/ },
    ],
    invalidatesShared: true,
  },
  { prefix: '/api/guide', service: 'stream-scheduler', shared: [{ pattern: /^\/api\/guide(\?|$)/ }] },
  { prefix: '/api/guide.xml', service: 'stream-scheduler', perMinute: 60, heldCompressed: true },
  { prefix: '/api/live-playlist', service: 'stream-scheduler', invalidatesShared: true },
  {
    prefix: '/api/chat',
    service: 'chat',
    shared: [{ pattern: /^\/api\/chat\/channels\/[^/?]+\/messages(\?|$)/ }],
    invalidatesShared: true,
  },
  ...EXPORTS,
  { prefix: '/api/audit', service: 'admin-audit' },
  {
    prefix: '/api/theme',
    service: 'admin-audit',
    shared: [{ pattern: /^\/api\/theme(\?|$)/ }],
    invalidatesShared: true,
  },
  { prefix: '/api/metadata', service: 'metadata-worker' },
  { prefix: '/api/dead-letters/auth', service: 'auth' },
  { prefix: '/api/dead-letters/catalogue', service: 'catalogue' },
  { prefix: '/api/dead-letters/stream-scheduler', service: 'stream-scheduler' },
  { prefix: '/api/dead-letters/chat', service: 'chat' },
  { prefix: '/api/dead-letters/admin-audit', service: 'admin-audit' },
  { prefix: '/api/dead-letters/metadata-worker', service: 'metadata-worker' },
]

/** Requests per client network and minute to all prefixes without a limit of their own. Services have stricter ones. */
export const READS_PER_MINUTE = 6000
export const WRITES_PER_MINUTE = 1200

/** Frequent writes of viewers' players that do not invalidate. Their effect appears when the cache entry expires. */
const NOT_INVALIDATING = /\/(views|reports)$/

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
  upstreams: Record<ServiceName, string>
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
    const { prefix, perMinute } = route
    const countRequest =
      perMinute === undefined ? general : createLimit({ name: prefix, reads: perMinute, writes: perMinute })
    await app.register(proxyRoute, { ...options, route, countRequest })
  }
}

type RouteOptions = ProxyOptions & { route: ProxyRoute; countRequest: CountRequest }

async function proxyRoute(app: App, options: RouteOptions): Promise<void> {
  const { prefix, service, shared, invalidatesShared = false } = options.route
  // Otherwise the handler counts the request, unless the response is cached.
  if (shared === undefined) app.addHook('onRequest', options.countRequest)
  if (prefix.startsWith('/api/')) {
    const { personalTokens, limits } = options
    // After the hooks that limit requests.
    app.addHook('preHandler', (request) => personalTokens.replaceIn(request, limits))
  }
  if (invalidatesShared) {
    // A client must see its own change in the next read.
    app.addHook('onSend', async (request) => {
      if (!isRead(request) && !NOT_INVALIDATING.test(request.url)) options.shared.invalidate(service)
    })
  }
  const upstream = new Upstream(options.upstreams[service])
  app.addHook('onClose', () => upstream.close())
  const handler = proxyHandler(options, upstream)
  for (const url of [prefix, `${prefix}/*`])
    app.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      config: { operation: `gateway.proxy.${service}` },
      handler,
    })
}

/** Serves shared responses from memory. Everything else takes a turn of its network at the service. */
function proxyHandler(options: RouteOptions, upstream: Upstream) {
  const { shared, route, countRequest, clients, factor } = options
  const turns = new NetworkTurns(turnLimits(factor))
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    refuseTraversal(request.url)
    const sharedRoute = route.shared?.find((candidate) => shared.isShared(request, candidate))
    const load = async () =>
      sharedRoute && shared.load(route.service, sharedRoute, request.url, gatewayHeaders(request, options))
    const isCached = sharedRoute !== undefined && shared.has(sharedRoute.group ?? route.service, request.url)
    if (!isCached && route.shared !== undefined) await countRequest(request)
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
  if (!url.startsWith('/') || path.split(/[/\\]/).includes('..'))
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
