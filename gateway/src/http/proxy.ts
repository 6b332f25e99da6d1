import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import fastifyHttpProxy, { type FastifyHttpProxyOptions } from '@fastify/http-proxy'
import { AppError, errors } from '@looptide/service-kit/errors'
import { traceHeadersOf } from '@looptide/service-kit/request-tracing'
import type { App } from '@looptide/service-kit/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceName } from '../config.ts'
import type { ClientReader } from '../limits/client-reader.ts'
import { isRead } from './is-read.ts'
import { limitedBody, tooLarge } from './limited-body.ts'
import type { SharedAddresses, SharedAnswers } from './shared-answers.ts'

interface ProxyRoute {
  prefix: string
  service: ServiceName
  /** Requests per address and minute, where an answer is so large that the general limit would be too much. */
  perMinute?: number
  /** Public lists: their answers are the same for everybody and kept in memory. */
  shared?: readonly SharedAddresses[]
  /** What is written here shows in shared answers. */
  changesShared?: boolean
}

/** Which service answers which address. `/internal` is in nobody's list and so cannot be reached. */
export const PROXY_ROUTES: readonly ProxyRoute[] = [
  { prefix: '/auth/v1', service: 'auth' },
  { prefix: '/api/me', service: 'auth' },
  { prefix: '/api/profiles', service: 'auth' },
  { prefix: '/api/users', service: 'auth' },
  {
    prefix: '/api/videos',
    service: 'catalogue',
    // The list of an admin (`all`) is another one.
    shared: [{ addresses: /^\/api\/videos(\?(?!.*\ball=)|$)/ }],
    changesShared: true,
  },
  { prefix: '/api/submissions', service: 'catalogue', changesShared: true },
  { prefix: '/api/search', service: 'catalogue', shared: [{ addresses: /^\/api\/search(\?|$)/ }] },
  { prefix: '/api/home', service: 'catalogue', shared: [{ addresses: /^\/api\/home(\?|$)/ }] },
  { prefix: '/api/curation', service: 'catalogue', changesShared: true },
  { prefix: '/api/playlists', service: 'catalogue' },
  {
    prefix: '/api/channels',
    service: 'stream-scheduler',
    shared: [
      // Admins also see the channels that are not active.
      { addresses: /^\/api\/channels(\?|$)/, isPublicPart: true },
      { addresses: /^\/api\/channels\/[^/?]+\/guide(\?|$)/ },
      { addresses: /^\/api\/channels\/[^/?]+\/air-log(\?|$)/, group: 'air-log' },
    ],
    changesShared: true,
  },
  { prefix: '/api/guide', service: 'stream-scheduler', shared: [{ addresses: /^\/api\/guide(\?|$)/ }] },
  { prefix: '/api/guide.xml', service: 'stream-scheduler', perMinute: 60 },
  { prefix: '/api/live-playlist', service: 'stream-scheduler', changesShared: true },
  {
    prefix: '/api/chat',
    service: 'chat',
    shared: [{ addresses: /^\/api\/chat\/channels\/[^/?]+\/messages(\?|$)/ }],
    changesShared: true,
  },
  { prefix: '/api/audit', service: 'admin-audit' },
  {
    prefix: '/api/theme',
    service: 'admin-audit',
    shared: [{ addresses: /^\/api\/theme(\?|$)/ }],
    changesShared: true,
  },
  { prefix: '/api/metadata', service: 'metadata-worker' },
  { prefix: '/api/dead-letters/auth', service: 'auth' },
  { prefix: '/api/dead-letters/catalogue', service: 'catalogue' },
  { prefix: '/api/dead-letters/stream-scheduler', service: 'stream-scheduler' },
  { prefix: '/api/dead-letters/chat', service: 'chat' },
  { prefix: '/api/dead-letters/admin-audit', service: 'admin-audit' },
  { prefix: '/api/dead-letters/metadata-worker', service: 'metadata-worker' },
]

/** Told by viewers' players all the time; what it changes may be seen a little later. */
const UNSEEN_CHANGE = /\/(views|reports)$/

/** A read whose connection was lost is asked once more: its replica has gone, and another takes the second try. */
const RETRY_MS = 20
const LOST = ['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']

const isLostConnection = (error: Error | null): boolean =>
  error !== null && 'code' in error && LOST.includes(String(error.code))

/** What a service may be told by the gateway only. */
const OURS = [
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

export interface ProxyOptions {
  upstreams: Record<ServiceName, string>
  /** Largest body passed on, in bytes. */
  bodyLimit: number
  /** Scales the narrower limits of single addresses, as it does the general one. */
  rateLimitFactor: number
  clients: ClientReader
  shared: SharedAnswers
}

/** Passes requests on to the services. An upstream that is away is a 503 in our own words. */
export async function proxyRoutes(app: App, options: ProxyOptions): Promise<void> {
  // Bodies are passed on as they come; the service that owns them parses them.
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', async (request) => {
    if (Number(request.headers['content-length'] ?? 0) > options.bodyLimit) throw tooLarge()
  })
  app.addHook('preParsing', async (request, _reply, body) =>
    // A length that was told is kept to by Node; without one, what comes is counted.
    request.headers['transfer-encoding'] === undefined
      ? body
      : limitedBody(body as Readable, options.bodyLimit),
  )
  for (const route of PROXY_ROUTES) await app.register(proxyRoute, { ...options, route })
}

async function proxyRoute(app: App, options: ProxyOptions & { route: ProxyRoute }): Promise<void> {
  const { prefix, service, perMinute, shared, changesShared = false } = options.route
  if (changesShared) {
    // Whoever changes something sees it in what they read next.
    app.addHook('onSend', async (request) => {
      if (!isRead(request) && !UNSEEN_CHANGE.test(request.url)) options.shared.forget(service)
    })
  }
  await app.register(fastifyHttpProxy, {
    upstream: options.upstreams[service],
    prefix,
    rewritePrefix: prefix,
    httpMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    config: {
      operation: `gateway.proxy.${service}`,
      ...(perMinute === undefined
        ? {}
        : { rateLimit: { max: Math.max(1, Math.round(perMinute * options.rateLimitFactor)) } }),
      // Counted by the handler, unless the answer is at hand.
      ...(shared === undefined ? {} : { rateLimit: false }),
    },
    ...(shared === undefined ? {} : { handler: shareOrPass(app, options, shared) }),
    disableRequestLogging: true,
    undici: {
      connections: 64,
      pipelining: 1,
      headersTimeout: 10_000,
      bodyTimeout: 30_000,
      connectTimeout: 2000,
    },
    replyOptions: {
      rewriteRequestHeaders: (request, headers) =>
        requestHeaders(request as FastifyRequest, headers, options),
      retryDelay: ({ err, req, attempt }) =>
        attempt === 0 && isLostConnection(err) && isRead(req) ? RETRY_MS : null,
      rewriteHeaders: answerHeaders,
      onError: (reply, { error }) => answerFailure(reply as FastifyReply, service, error),
    },
  })
}

/** Answers public lists from memory; passes everything else on. */
function shareOrPass(
  app: App,
  options: ProxyOptions & { route: ProxyRoute },
  lists: readonly SharedAddresses[],
): Handler {
  const { shared, route } = options
  const limit = app.rateLimit()
  return async (request, reply, target, hooks) => {
    const list = lists.find((each) => shared.mayKeep(request, each))
    const isAtHand = list !== undefined && shared.has(list.group ?? route.service, request.url)
    if (!isAtHand) await limit.call(app, request, reply)
    const isAnswered =
      list !== undefined &&
      (await shared.send(route.service, list, request, reply, requestHeaders(request, {}, options)))
    return isAnswered ? reply : reply.from(target, hooks)
  }
}

type Handler = NonNullable<FastifyHttpProxyOptions['handler']>
type Headers_ = Record<string, string | string[] | undefined>

function requestHeaders(request: FastifyRequest, headers: Headers_, { clients }: ProxyOptions): Headers_ {
  const passed = Object.fromEntries(Object.entries(headers).filter(([name]) => !OURS.includes(name)))
  return {
    ...passed,
    ...traceHeadersOf(request),
    'x-request-id': request.id,
    'x-forwarded-for': clients.addressOf(request.raw),
    'x-forwarded-host': request.headers.host,
    'x-forwarded-proto': request.protocol,
  }
}

/** What a service's answer says of the connection between it and us is not the client's business (RFC 9110 §7.6.1). */
function answerHeaders({
  connection: _,
  'keep-alive': __,
  ...headers
}: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers
}

/** Node's word for a request whose connection ended before it did. */
const SENDER_GONE = 'aborted'

function answerFailure(reply: FastifyReply, service: ServiceName, error: Error): void {
  if (reply.sent) return
  if (error.cause instanceof AppError) reply.send(error.cause)
  // Who asked has gone in the middle of it: nobody's outage, and nobody reads this.
  else if (reply.request.raw.errored?.message === SENDER_GONE)
    reply.send(new AppError('bad_request', 'The request was aborted.'))
  else reply.send(errors.unavailable(`The ${service} service`, error))
}
