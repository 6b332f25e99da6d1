import type { IncomingMessage } from 'node:http'
import { type Context, context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import { contextOf, isTracing, traceHeaders, tracer } from '../telemetry/tracing.ts'
import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Trace context of this request; null if it is not traced: probes, WebSockets, or tracing is disabled. */
    traceContext: Context | null
  }
}

/**
 * Creates a span for each request, named after its route pattern: the URL itself may contain personal data. Probes and
 * metrics, which have no operation, and WebSockets, which last for hours, are not traced.
 *
 * @param acceptParent whether requests continue their sender's trace. False for public endpoints: clients would decide
 *   what is sampled.
 */
export function traceRequests(app: App, acceptParent: boolean): void {
  app.decorateRequest('traceContext', null)
  if (!isTracing()) return
  app.addHook('onRequest', (request, _reply, done) => {
    const { operation } = request.routeOptions.config
    if (operation === undefined || request.headers.upgrade !== undefined) return done()
    const route = request.routeOptions.url ?? '*'
    request.traceContext = startSpan(request.raw, { operation, route, id: request.id }, acceptParent)
    withinTrace(request.traceContext, done)
  })
  // The body is parsed in connection events, which lose the context: it is restored here.
  app.addHook('preValidation', (request, _reply, done) => withinTrace(request.traceContext, done))
  app.addHook('onResponse', (request, reply, done) => {
    endSpan(request.traceContext, reply.statusCode)
    done()
  })
}

/** What a request's span says besides its method. */
interface TracedRequest {
  operation: string
  /** The route's pattern. */
  route: string
  /** The request's id. */
  id: string
}

/** Creates the span of a request. Null while tracing is disabled. End it with {@link endSpan}. */
export function startSpan(
  { method = '', headers }: IncomingMessage,
  { operation, route, id }: TracedRequest,
  acceptParent: boolean,
): Context | null {
  if (!isTracing()) return null
  const header = headers.traceparent
  const parent = acceptParent && typeof header === 'string' ? contextOf(header) : ROOT_CONTEXT
  const span = tracer().startSpan(
    `${method} ${route}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'looptide.operation': operation,
        'looptide.request_id': id,
      },
    },
    parent,
  )
  return trace.setSpan(parent, span)
}

/** Ends the span of a request with the status of its response. */
export function endSpan(traceContext: Context | null, status: number): void {
  const span = traceContext === null ? undefined : trace.getSpan(traceContext)
  span?.setAttribute('http.response.status_code', status)
  if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
  span?.end()
}

/** Runs `work` in a request's trace context. */
export function withinTrace(traceContext: Context | null, work: () => void): void {
  if (traceContext === null) work()
  else context.with(traceContext, work)
}

/** Trace headers for a request that is forwarded. */
export const traceHeadersOf = (request: FastifyRequest): Record<string, string> =>
  request.traceContext === null ? {} : traceHeaders(request.traceContext)
