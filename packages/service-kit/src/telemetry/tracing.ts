import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { TracingConfig } from './tracing-config.ts'

interface SpanOptions {
  kind: 'consumer' | 'producer'
  /** `traceparent` (W3C Trace Context) of the cause. Default: the active span. */
  parent?: string | null | undefined
  /** Technical values only. No personal data: no IP or email address, no user text, no user id. */
  attributes?: Attributes
}

/** A started span. */
export interface OpenSpan {
  /** Runs `work` with this span active, so that its calls and events continue the trace. */
  run<T>(work: () => T): T
  end(error?: unknown): void
}

const NOT_TRACED: OpenSpan = { run: (work) => work(), end: () => undefined }
const KINDS = { consumer: SpanKind.CONSUMER, producer: SpanKind.PRODUCER }

let isEnabled = false

/** Whether tracing is enabled in this process. If not, nothing is measured, stored or sent. */
export const isTracing = (): boolean => isEnabled

/** The tracer of our own spans; they are dropped while no collector is set. */
export const tracer = () => trace.getTracer('looptide')

/**
 * Enables tracing in this process if it is configured. OpenTelemetry's SDK is loaded only then. Call it before creating
 * the logger, so that log lines contain their trace id. Returns a function that flushes pending spans and stops.
 */
export async function startTracing(
  service: string,
  config: TracingConfig | undefined,
): Promise<() => Promise<void>> {
  if (config === undefined || isEnabled) return async () => undefined
  const { startSdk } = await import('./tracing-sdk.ts')
  const stopSdk = startSdk(service, config)
  isEnabled = true
  return async () => {
    isEnabled = false
    await stopSdk()
  }
}

/** Headers that continue this trace in another process. */
export function traceHeaders(from: Context = context.active()): Record<string, string> {
  const carrier: Record<string, string> = {}
  if (isEnabled) propagation.inject(from, carrier)
  return carrier
}

/** `traceparent` of the active span, to be stored with an event or job that is processed later. */
export const currentTraceParent = (): string | null => traceHeaders().traceparent ?? null

/** The context of a `traceparent`. Empty if it is missing or malformed. */
export const contextOf = (traceParent: string | null | undefined): Context =>
  typeof traceParent === 'string'
    ? propagation.extract(ROOT_CONTEXT, { traceparent: traceParent })
    : ROOT_CONTEXT

/** Starts a span that the caller ends. */
export function openSpan(name: string, { kind, parent, attributes }: SpanOptions): OpenSpan {
  if (!isEnabled) return NOT_TRACED
  const parentContext = typeof parent === 'string' ? contextOf(parent) : context.active()
  const span = tracer().startSpan(name, { kind: KINDS[kind], attributes }, parentContext)
  const spanContext = trace.setSpan(parentContext, span)
  return {
    run: (work) => context.with(spanContext, work),
    end: (error) => {
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      // Only the error's type: its message may quote user text.
      if (error instanceof Error) span.setAttribute('error.type', error.name)
      span.end()
    },
  }
}

/** Runs `work` in a new span. `work` starts synchronously, so calls keep their order. */
export const inSpan = <T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> =>
  runToEnd(openSpan(name, options), work)

/** Runs `work` in `span` and ends the span when `work` succeeds or fails. */
export async function runToEnd<T>(span: OpenSpan, work: () => Promise<T>): Promise<T> {
  try {
    const result = await span.run(work)
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** Log fields of the active trace, with OpenTelemetry's names. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const current = trace.getSpanContext(context.active())
  return current === undefined ? {} : { trace_id: current.traceId, span_id: current.spanId }
}
