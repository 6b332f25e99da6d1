import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '@looptide/service-kit/http/app'
import type { Readiness } from '@looptide/service-kit/http/health'
import { endSpan, startSpan, withinTrace } from '@looptide/service-kit/http/request-tracing'
import { recordRequest, requestIdOf } from '@looptide/service-kit/http/server'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Metrics } from '@looptide/service-kit/telemetry/metrics'
import type { LocalLimits } from '../http/local-limits.ts'
import { hasBody } from '../http/request-bodies.ts'
import { namesOneHost } from '../http/request-target.ts'
import { isPlainHttp } from '../http/require-https.ts'
import type { PreparedResponse } from './prepared-response.ts'

/** Prepared responses, by URL. */
interface ResponseSource {
  /** The response to this GET; undefined if there is none in memory for its sender. */
  find(request: IncomingMessage): PreparedResponse | undefined
}

interface MemoryOptions {
  sources: readonly ResponseSource[]
  limits: LocalLimits
  readiness: Readiness
  metrics: Metrics
  logger: Logger
  requireHttps: boolean
  /** Whether requests continue their sender's trace. */
  acceptTraceParent: boolean
}

/**
 * Responds to GET requests from memory before Fastify handles them: its request, reply, router and hooks cost several times
 * as much as the response. Limits, request ids, metrics, logs and traces are the same. Fastify handles every request for
 * which no response is prepared, that has a body, is malformed or above a limit, or that arrives during shutdown.
 */
export function respondFromMemory(app: App, options: MemoryOptions): void {
  const { server } = app
  const { sources, readiness, requireHttps } = options
  const findPrepared = (request: IncomingMessage): PreparedResponse | undefined => {
    if (request.method !== 'GET' || hasBody(request) || !readiness.ready) return undefined
    if (!namesOneHost(request) || (requireHttps && isPlainHttp(request.headers))) return undefined
    for (const source of sources) {
      const found = source.find(request)
      if (found !== undefined) return found
    }
    return undefined
  }
  const handlers = server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const prepared = findPrepared(request)
    if (prepared !== undefined && isAllowed(options.limits, request, prepared))
      respond(options, request, response, prepared)
    else for (const handle of handlers) handle.call(server, request, response)
  })
}

const isAllowed = (limits: LocalLimits, raw: IncomingMessage, { limit }: PreparedResponse): boolean =>
  (limit === undefined || limits.allows(limit, { raw })) && limits.allows('any', { raw })

function respond(
  { metrics, logger, acceptTraceParent }: MemoryOptions,
  request: IncomingMessage,
  response: ServerResponse,
  prepared: PreparedResponse,
): void {
  const startedAtMs = performance.now()
  const { operation, route } = prepared
  const id = requestIdOf(request)
  const traceContext = startSpan(request, { operation, route, id }, acceptTraceParent)
  response.once('close', () => {
    const status = response.statusCode
    const completed = { operation, method: 'GET', status, ms: performance.now() - startedAtMs }
    withinTrace(traceContext, () =>
      recordRequest(metrics, completed, (line, message) => {
        // A child logger for each request, as Fastify creates it, costs more than the response.
        if (logger.isLevelEnabled('info')) logger.info({ reqId: id, ...line }, message)
      }),
    )
    endSpan(traceContext, status)
  })
  prepared.write(request, response, id)
}
