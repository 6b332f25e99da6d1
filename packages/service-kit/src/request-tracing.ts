import { type Context, context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import type { App } from './server.ts'
import { contextOf, isTracing, traceHeaders, tracer } from './tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace this request belongs to; null for what is not traced: probes, sockets, or all when it is off. */
    traceContext: Context | null
  }
}

/**
 * A span for each request, named by its route's template: an address itself may name a person. Probes and metrics,
 * which have no operation, are left out, and so are sockets, which last for hours.
 *
 * @param acceptParent belongs the request to its sender's trace? Not where strangers ask: they would decide what is kept.
 */
export function traceRequests(app: App, acceptParent: boolean): void {
  app.decorateRequest('traceContext', null)
  if (!isTracing()) return
  app.addHook('onRequest', (request, _reply, done) => {
    const { operation } = request.routeOptions.config
    if (operation === undefined || request.headers.upgrade !== undefined) return done()
    request.traceContext = begin(request, operation, acceptParent)
    context.with(request.traceContext, done)
  })
  // A body arrives in events of the connection, which know of no request: from here on it is told again.
  app.addHook('preValidation', (request, _reply, done) => withinTrace(request, done))
  app.addHook('onResponse', (request, reply, done) => {
    const span = request.traceContext === null ? undefined : trace.getSpan(request.traceContext)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}

function begin(request: FastifyRequest, operation: string, acceptParent: boolean): Context {
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

/** Does something as a part of a request's trace. */
export function withinTrace(request: FastifyRequest, work: () => void): void {
  if (request.traceContext === null) work()
  else context.with(request.traceContext, work)
}

/** What a request that is passed on carries. */
export const traceHeadersOf = (request: FastifyRequest): Record<string, string> =>
  request.traceContext === null ? {} : traceHeaders(request.traceContext)
