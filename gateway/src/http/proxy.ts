import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import fastifyHttpProxy, { type FastifyHttpProxyOptions } from '@fastify/http-proxy'
import type { App } from '@looptide/service-kit/http/app'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import { internalTls } from '@looptide/service-kit/tls/internal-client'
import { traceHeadersOf } from '@looptide/service-kit/tracing/request-tracing'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceName } from '../config.ts'
import type { SharedResponses, SharedRoute } from '../fast-path/shared-responses.ts'
import type { ClientReader } from '../limits/client-reader.ts'
import { isRead } from './is-read.ts'
import { limitedBody, tooLarge } from './limited-body.ts'
import type { LocalLimits } from './local-limits.ts'
import type { PersonalTokens } from './personal-tokens.ts'
import type { CountRequest, CreateLimit } from './rate-limits.ts'

interface ProxyRoute {
  prefix: string
  service: ServiceName
  /** Stricter limit for large responses, in requests per client network and minute. */
  perMinute?: number
  /** Responses that are the same for every client and are cached in memory. */
  shared?: readonly SharedRoute[]
  /** Writes below this prefix change shared responses of the service. */
  invalidatesShared?: boolean
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
  { prefix: '/api/guide.xml', service: 'stream-scheduler', perMinute: 60 },
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

/** Delay before a read whose connection was lost is repeated once, in ms. Another replica may serve the second attempt. */
const RETRY_MS = 20
const CONNECTION_ERRORS = ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']

const isLostConnection = (error: Error | null): boolean =>
  error !== null && 'code' in error && CONNECTION_ERRORS.includes(String(error.code))

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

interface ProxyOptions {
  upstreams: Record<ServiceName, string>
  /** Largest proxied body, in bytes. */
  bodyLimit: number
  /** Creates limits of requests by client network. */
  createLimit: CreateLimit
  clients: ClientReader
  shared: SharedResponses
  personalTokens: PersonalTokens
  limits: LocalLimits
}

/** Proxies requests to the services. An unreachable service is a 503 in our error format. */
export async function proxyRoutes(app: App, options: ProxyOptions): Promise<void> {
  // Bodies are streamed unparsed. The service parses them.
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', async (request) => {
    if (Number(request.headers['content-length'] ?? 0) > options.bodyLimit) throw tooLarge()
  })
  app.addHook('preParsing', async (request, _reply, body) =>
    // Node enforces a declared content length. Without one, the bytes are counted.
    request.headers['transfer-encoding'] === undefined
      ? body
      : limitedBody(body as Readable, options.bodyLimit),
  )
  const { createLimit } = options
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
  const tls = internalTls()
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
  await app.register(fastifyHttpProxy, {
    upstream: options.upstreams[service],
    prefix,
    rewritePrefix: prefix,
    httpMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    config: { operation: `gateway.proxy.${service}` },
    ...(shared === undefined ? {} : { handler: shareOrProxy(options, shared) }),
    disableRequestLogging: true,
    undici: {
      connections: 64,
      pipelining: 1,
      headersTimeout: 10_000,
      bodyTimeout: 30_000,
      connectTimeout: 2000,
      ...(tls === undefined ? {} : { connect: tls.connect }),
    },
    replyOptions: {
      rewriteRequestHeaders: (request, headers) =>
        requestHeaders(request as FastifyRequest, headers, options),
      retryDelay: ({ err, req, attempt }) =>
        attempt === 0 && isLostConnection(err) && isRead(req) ? RETRY_MS : null,
      rewriteHeaders: responseHeaders,
      onError: (reply, { error }) => sendFailure(reply as FastifyReply, service, error),
    },
  })
}

/** Serves shared responses from memory and proxies everything else. */
function shareOrProxy(options: RouteOptions, routes: readonly SharedRoute[]): Handler {
  const { shared, route, countRequest } = options
  return async (request, reply, target, hooks) => {
    const sharedRoute = routes.find((candidate) => shared.isShared(request, candidate))
    const isCached = sharedRoute !== undefined && shared.has(sharedRoute.group ?? route.service, request.url)
    if (!isCached) await countRequest(request)
    const isSent =
      sharedRoute !== undefined &&
      (await shared.respond(route.service, sharedRoute, request, reply, requestHeaders(request, {}, options)))
    return isSent ? reply : reply.from(target, hooks)
  }
}

type Handler = NonNullable<FastifyHttpProxyOptions['handler']>
type HeaderMap = Record<string, string | string[] | undefined>

function requestHeaders(request: FastifyRequest, headers: HeaderMap, { clients }: ProxyOptions): HeaderMap {
  const forwarded = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !RESERVED_HEADERS.includes(name)),
  )
  return {
    ...forwarded,
    ...traceHeadersOf(request),
    'x-request-id': request.id,
    'x-forwarded-for': clients.ipOf(request.raw),
    'x-forwarded-host': request.headers.host,
    'x-forwarded-proto': request.protocol,
  }
}

/** Removes the headers of the connection between service and gateway (RFC 9110 §7.6.1). */
function responseHeaders({
  connection: _,
  'keep-alive': __,
  ...headers
}: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers
}

/** Node's error message for a request whose client disconnected before its end. */
const CLIENT_ABORTED = 'aborted'

function sendFailure(reply: FastifyReply, service: ServiceName, error: Error): void {
  if (reply.sent) return
  if (error.cause instanceof AppError) reply.send(error.cause)
  // The client disconnected within its body. That is no outage of the service.
  else if (reply.request.raw.errored?.message === CLIENT_ABORTED)
    reply.send(new AppError('bad_request', 'The request was aborted.'))
  else reply.send(errors.unavailable(`The ${service} service`, error))
}
