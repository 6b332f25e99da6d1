import { type Context, context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import type { App } from '../http/app.ts'
import { contextOf, isTracing, traceHeaders, tracer } from './tracing.ts'

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
    request.traceContext = startSpan(request, operation, acceptParent)
    context.with(request.traceContext, done)
  })
  // The body is parsed in connection events, which lose the context: it is restored here.
  app.addHook('preValidation', (request, _reply, done) => withinTrace(request, done))
  app.addHook('onResponse', (request, reply, done) => {
    const span = request.traceContext === null ? undefined : trace.getSpan(request.traceContext)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}

function startSpan(request: FastifyRequest, operation: string, acceptParent: boolean): Context {
  const header = request.headers.traceparent
  const parent = acceptParent && typeof header === 'string' ? contextOf(header) : ROOT_CONTEXT
  const route = request.routeOptions.url ?? '*'
  const span = tracer().startSpan(
    `${request.method} ${route}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'looptide.operation': operation,
        'looptide.request_id': request.id,
      },
    },
    parent,
  )
  return trace.setSpan(parent, span)
}

/** Runs `work` in a request's trace context. */
export function withinTrace(request: FastifyRequest, work: () => void): void {
  if (request.traceContext === null) work()
  else context.with(request.traceContext, work)
}

/** Trace headers for a request that is forwarded. */
export const traceHeadersOf = (request: FastifyRequest): Record<string, string> =>
  request.traceContext === null ? {} : traceHeaders(request.traceContext)
