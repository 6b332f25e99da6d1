import type { ErrorBody } from '@looptide/contracts/errors'

/** Codes that never reach the wire: the request did not get an answer, or not one of ours. */
export type LocalErrorCode = 'network_failed' | 'timed_out' | 'unreadable_answer'

/** Any request that did not end well. Tell failures apart by `code`, never by `message`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly details: { path: string; message: string }[]
  /** How long to wait before asking again (ms); undefined when the server did not say. */
  readonly retryAfterMs: number | undefined

  constructor(facts: {
    status: number
    code: string
    message: string
    requestId?: string | undefined
    details?: { path: string; message: string }[] | undefined
    retryAfterMs?: number | undefined
    cause?: unknown
  }) {
    super(facts.message, { cause: facts.cause })
    this.status = facts.status
    this.code = facts.code
    this.requestId = facts.requestId
    this.details = facts.details ?? []
    this.retryAfterMs = facts.retryAfterMs
  }

  /** Asking again later may help: nobody answered, or the server said that it is in trouble. */
  get isOutage(): boolean {
    return this.status === 0 || this.status >= 500
  }
}

/** `Retry-After` in ms: a number of seconds or an HTTP date (RFC 9110 §10.2.3). */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

const isErrorBody = (body: unknown): body is Partial<ErrorBody> & { code: string; message: string } =>
  typeof body === 'object' &&
  body !== null &&
  typeof (body as Record<string, unknown>).code === 'string' &&
  typeof (body as Record<string, unknown>).message === 'string'

/** The error that an answer with a 4xx or 5xx status stands for, whatever its body looks like. */
export function errorFromAnswer(
  status: number,
  headers: Pick<Headers, 'get'>,
  body: unknown,
  nowMs: number,
): ApiError {
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), nowMs)
  if (!isErrorBody(body)) {
    return new ApiError({
      status,
      code: status >= 500 ? 'service_unavailable' : 'unreadable_answer',
      message: status >= 500 ? 'The station is not answering right now.' : `The server answered ${status}.`,
      retryAfterMs,
    })
  }
  return new ApiError({
    status,
    code: body.code,
    message: body.message,
    requestId: body.requestId,
    details: body.details,
    retryAfterMs: typeof body.retryAfterMs === 'number' ? body.retryAfterMs : retryAfterMs,
  })
}

/** The error that a `fetch` that never got an answer stands for. An abort by the caller is passed on as it is. */
export function errorFromFailure(failure: unknown): unknown {
  if (failure instanceof DOMException && failure.name === 'AbortError') return failure
  const timedOut = failure instanceof DOMException && failure.name === 'TimeoutError'
  return new ApiError({
    status: 0,
    code: timedOut ? 'timed_out' : 'network_failed',
    message: timedOut ? 'The server took too long to answer.' : 'The server cannot be reached.',
    cause: failure,
  })
}
