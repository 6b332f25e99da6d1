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

/** Where spans go, and of how many traces. */
export interface TracingConfig {
  /** An OTLP receiver (HTTP, JSON), without the `/v1/traces`. */
  endpoint: string
  /** The part of the traces that begin here which is kept, 0 to 1; who is called keeps what the caller keeps. */
  ratio: number
  /** How long spans are gathered before they are sent, in ms. */
  delayMs: number
}

interface SpanOptions {
  kind: 'consumer' | 'producer'
  /** The `traceparent` (W3C Trace Context) of what caused this; what is under way when there is none. */
  parent?: string | null | undefined
  /** Names and numbers of ours. Nothing of a person's: no address, no text they wrote, no id of theirs. */
  attributes?: Attributes
}

/** A piece of work that is being traced. */
export interface OpenSpan {
  /** Does work as a part of it: what it calls and tells carries the trace on. */
  run<T>(work: () => T): T
  end(error?: unknown): void
}

const NOT_TRACED: OpenSpan = { run: (work) => work(), end: () => undefined }
const KINDS = { consumer: SpanKind.CONSUMER, producer: SpanKind.PRODUCER }

let on = false

/** Is tracing switched on in this process? Nothing is measured, stored or sent otherwise. */
export const isTracing = (): boolean => on

export const tracer = () => trace.getTracer('looptide')

/**
 * Switches tracing on for this process, if it is configured; only then is OpenTelemetry's SDK loaded at all. Call it
 * before the logger is made, whose lines then name their trace. Answers how to send what is left and end.
 */
export async function startTracing(
  service: string,
  config: TracingConfig | undefined,
): Promise<() => Promise<void>> {
  if (config === undefined || on) return async () => undefined
  const { startSdk } = await import('./tracing-sdk.ts')
  const stopSdk = startSdk(service, config)
  on = true
  return async () => {
    on = false
    await stopSdk()
  }
}

/** What a call to another process carries, so that its part belongs to the same trace. */
export function traceHeaders(of: Context = context.active()): Record<string, string> {
  const carrier: Record<string, string> = {}
  if (on) propagation.inject(of, carrier)
  return carrier
}

/** The `traceparent` of what is under way, for what is done later: it lies beside an event or a job. */
export const currentTraceParent = (): string | null => traceHeaders().traceparent ?? null

/** The context that a `traceparent` tells of; an empty one for none, or for one that is no such thing. */
export const contextOf = (traceParent: string | null | undefined): Context =>
  typeof traceParent === 'string'
    ? propagation.extract(ROOT_CONTEXT, { traceparent: traceParent })
    : ROOT_CONTEXT

/** Begins a span that is ended by hand. */
export function openSpan(name: string, { kind, parent, attributes }: SpanOptions): OpenSpan {
  if (!on) return NOT_TRACED
  const around = typeof parent === 'string' ? contextOf(parent) : context.active()
  const span = tracer().startSpan(name, { kind: KINDS[kind], attributes }, around)
  const within = trace.setSpan(around, span)
  return {
    run: (work) => context.with(within, work),
    end: (error) => {
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      // The kind of error, never its message: that may quote what somebody wrote.
      if (error instanceof Error) span.setAttribute('error.type', error.name)
      span.end()
    },
  }
}

/** Does `work` in a span of its own. It begins before this returns: calls keep their order. */
export const inSpan = <T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> =>
  runToEnd(openSpan(name, options), work)

/** Does `work` in a span and ends that with it, well or not. */
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

/** What a log line says of the trace it was written in, by OpenTelemetry's names for it. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const current = trace.getSpanContext(context.active())
  return current === undefined ? {} : { trace_id: current.traceId, span_id: current.spanId }
}
