import { randomUUID } from 'node:crypto'
import type { ServerOptions as HttpServerOptions, IncomingMessage } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import fastifySwagger from '@fastify/swagger'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { ErrorBody } from '@looptide/contracts/errors'
import type { AttemptLack } from '@looptide/contracts/http/admin'
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
  LogController,
} from 'fastify'
import type { TSchema } from 'typebox'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { InternalTls } from '../tls/internal-tls.ts'
import type { App } from './app.ts'
import { answerClientError } from './client-error.ts'
import { AppError, errors, isInvalidValueError, isMissingReference, isOutage } from './errors.ts'
import { openApiOptions } from './openapi.ts'
import { traceRequests, withinTrace } from './request-tracing.ts'
import { serialiserFor } from './serialise-answer.ts'
import { validatorFor } from './validate-request.ts'

interface ServerOptions {
  name: string
  logger: Logger
  metrics: Metrics
  /** Maximum body size in bytes. Routes may set their own. */
  bodyLimit?: number
  /** Whether requests may continue a trace by `traceparent`. False for public endpoints. */
  acceptTraceParent?: boolean
  timeouts?: RequestTimeouts
  /** Serves HTTPS with this certificate. Default: HTTP. */
  tls?: InternalTls | undefined
  /** Further options of Node's server. */
  http?: NodeServerOptions
  /** Called for every refused admin or moderator action. Must not throw. */
  onForbidden?: (request: FastifyRequest, lacks: AttemptLack) => void
}

type NodeServerOptions = Pick<
  HttpServerOptions,
  'ServerResponse' | 'shouldUpgradeCallback' | 'requireHostHeader'
>

/** Time limits of a client in ms, counted from the first byte or, for a new connection, from its opening. */
interface RequestTimeouts {
  headersMs: number
  /** For the whole request, body included. */
  requestMs: number
  /** Interval of the checks. */
  checkEveryMs: number
}

const TIMEOUTS: RequestTimeouts = { headersMs: 10_000, requestMs: 30_000, checkEveryMs: 2000 }

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/

/** The id of a request: the client's, if it is one, else a new one. */
export const requestIdOf = ({ headers: { 'x-request-id': header } }: IncomingMessage): string =>
  typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID()

/**
 * Creates a server with what every service needs: request ids, TypeBox validation, one error format, metrics by
 * operation and an OpenAPI description at `/openapi.json`.
 */
export function buildServer({
  name,
  logger,
  metrics,
  bodyLimit = 262_144,
  acceptTraceParent = true,
  timeouts = TIMEOUTS,
  tls,
  http = {},
  onForbidden,
}: ServerOptions): App {
  const app = createInstance(
    {
      loggerInstance: logger as FastifyBaseLogger,
      logController: new LogController({ disableRequestLogging: true }),
      bodyLimit,
      requestTimeout: timeouts.requestMs,
      clientErrorHandler: answerClientError,
      keepAliveTimeout: 65_000,
      return503OnClosing: true,
      forceCloseConnections: 'idle',
      frameworkErrors: (error, request, reply) =>
        void sendError(error, request as FastifyRequest, reply as FastifyReply),
      genReqId: requestIdOf,
    },
    { ...http, headersTimeout: timeouts.headersMs, connectionsCheckingInterval: timeouts.checkEveryMs },
    tls,
  ).withTypeProvider<TypeBoxTypeProvider>()

  closeIdleConnections(app)
  traceRequests(app, acceptTraceParent)
  app.setValidatorCompiler(({ schema, httpPart }) => validatorFor(schema as TSchema, httpPart))
  app.setSerializerCompiler(({ schema }) => serialiserFor(schema as TSchema))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof AppError && error.lacks !== null) {
      // The user has the role, so this is no attempt to be recorded.
      if (error.lacks === 'role' && request.user?.lacksFactor)
        return sendError(errors.staffFactorRequired(), request, reply)
      onForbidden?.(request, error.lacks)
    }
    return sendError(error, request, reply)
  })
  app.setNotFoundHandler(async () => {
    throw errors.notFound('This URL')
  })
  acceptEmptyJson(app)
  requireDefinitions(app)
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode >= 400) await discardRequestBody(request.raw)
  })
  observeRequests(app, metrics)
  app.register(fastifySwagger, openApiOptions(name))
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  return app
}

/** Measures and logs every request by its operation. */
function observeRequests(app: App, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request
    const operation = request.routeOptions.config.operation ?? 'none'
    const completed = { operation, method, status: reply.statusCode, ms: reply.elapsedTime }
    withinTrace(request.traceContext, () =>
      recordRequest(metrics, completed, (line, message) => request.log.info(line, message)),
    )
  })
}

interface CompletedRequest {
  operation: string
  method: string
  status: number
  ms: number
}

/** Measures a completed request, and logs it if it has an operation. */
export function recordRequest(
  metrics: Metrics,
  { operation, method, status, ms }: CompletedRequest,
  log: (line: object, message: string) => void,
): void {
  metrics.httpSeconds.observe({ operation, status: String(status) }, ms / 1000)
  if (operation !== 'none') log({ operation, method, status, ms: Math.round(ms) }, 'request completed')
}

/** An instance that serves HTTPS if there is a certificate, else HTTP. */
function createInstance(
  options: FastifyServerOptions,
  server: NodeServerOptions & { headersTimeout: number; connectionsCheckingInterval: number },
  tls: InternalTls | undefined,
): FastifyInstance {
  if (tls === undefined) return fastify({ ...options, http: server })
  const app = fastify({
    ...(options as FastifyServerOptions<HttpsServer>),
    https: { ...server, ...tls.serverOptions() },
  })
  tls.keepRenewed(app.server)
  return app as unknown as FastifyInstance
}

/** Throws for a public route without a definition: the access rules are checked against the OpenAPI description. */
function requireDefinitions(app: App): void {
  app.addHook('onRoute', ({ url, config = {} }) => {
    const isProxied = config.operation?.startsWith('gateway.proxy.') === true
    if (url.startsWith('/api/') && !isProxied && config.definition === undefined)
      throw new Error(
        `${url} has no definition: add one to packages/contracts/src/operations and bind it with route(…)`,
      )
  })
}

/** Accepts an empty JSON body: auth clients in browsers send `Content-Type: application/json` even without a body. */
function acceptEmptyJson(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parseJson(request, body as string, done)
  })
}

function sendError(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toAppError(error)
  if (isFault(known)) request.log.error({ err: error }, known.message)
  else if (isMissingReference(error)) request.log.warn({ err: error }, known.message)
  if (known.retryAfterMs !== undefined) reply.header('retry-after', Math.ceil(known.retryAfterMs / 1000))
  // `Content-Range` with the size of the file.
  if (known.code === 'range_not_satisfiable' && 'headers' in error)
    reply.headers(error.headers as Record<string, string>)
  const body: ErrorBody = {
    code: known.code,
    message: known.message,
    requestId: request.id,
    ...(known.details === undefined ? {} : { details: known.details }),
    ...(known.retryAfterMs === undefined ? {} : { retryAfterMs: known.retryAfterMs }),
    ...(known.problems === undefined ? {} : { problems: known.problems }),
    ...(known.current === undefined ? {} : { current: known.current }),
    ...known.refusal,
  }
  return reply.status(known.status).send(body)
}

/** Whether an error is the station's. 501 answers a request that only its client can change. */
const isFault = ({ status }: AppError): boolean => status >= 500 && status !== 501

/** Converts any error to an {@link AppError}. Internal details are only logged. */
function toAppError(error: FastifyError | Error): AppError {
  if (error instanceof AppError) return error
  if (isOutage(error)) return errors.unavailable('A part of the station', error)
  if (isMissingReference(error)) return errors.deletedMeanwhile()
  if (isInvalidValueError(error))
    return errors.validation('The request contains a value that cannot be stored.')
  const status = 'statusCode' in error ? error.statusCode : undefined
  if ('validation' in error && error.validation !== undefined) return errors.validation(error.message)
  // Of conditional requests for files.
  if (status === 412) return new AppError('precondition_failed', 'This file has changed.')
  if (status === 413) return new AppError('payload_too_large', 'The request is too large.')
  if (status === 415) return new AppError('unsupported_media_type', 'Send the request as JSON.')
  if (status === 416)
    return new AppError('range_not_satisfiable', 'The requested range is beyond the end of the file.')
  if (status === 429) return new AppError('rate_limited', 'Too many requests. Please wait a moment.')
  if (status !== undefined && status >= 400 && status < 500)
    return new AppError('bad_json', 'The request could not be read.')
  return new AppError('internal_error', 'Something went wrong on our side.', { cause: error })
}

/** Interval of the checks while the server closes, in ms. The first bytes of a new connection may arrive before the first. */
const EVERY_MS = 200

/**
 * Closes idle connections until the server has closed. Node closes them once, at the beginning, and would wait for the
 * keep-alive connection of each request that ends later, and for connections on which nothing has been sent, which
 * browsers and HTTP clients open in advance.
 */
function closeIdleConnections(app: App): void {
  const open = new Set<Socket>()
  // Over TLS, `connection` reports the raw socket, which has received the handshake.
  const event = app.server instanceof HttpsServer ? 'secureConnection' : 'connection'
  app.server.on(event, (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    const timer = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }, EVERY_MS)
    app.server.once('close', () => clearInterval(timer))
  })
}

/** Larger than any accepted body, in bytes. The connection of a client that announces or sends more is closed. */
const MAX_BYTES = 1_310_720

/**
 * Reads and discards the rest of a request's body. If the connection closed before the client had sent its body, the
 * client would get a connection error instead of the response: the gateway would mistake a refusal for an outage.
 */
async function discardRequestBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return
  await new Promise<void>((resolve) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_BYTES) resolve()
    })
    for (const end of ['end', 'error', 'close']) request.once(end, () => resolve())
    request.resume()
  })
}
