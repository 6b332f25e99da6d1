import type { ErrorBody } from '@looptide/contracts/errors'

type Refusal = Pick<Partial<ErrorBody>, 'rule' | 'until' | 'missingMs' | 'problems'>

/** A failed request. Distinguish failures by `code`, never by `message`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** The response's, or `network_failed`, `timed_out`, `unreadable_answer` without a response in our format. */
  readonly code: string
  readonly requestId: string | undefined
  readonly details: { path: string; message: string }[]
  /** Time to wait before the next attempt, in ms; undefined if the server sent none. */
  readonly retryAfterMs: number | undefined
  /** What the station says about its refusal, by its code: see `ERROR_STATUS` of the contracts. */
  readonly refusal: Refusal

  constructor(facts: {
    status: number
    code: string
    message: string
    requestId?: string | undefined
    details?: { path: string; message: string }[] | undefined
    retryAfterMs?: number | undefined
    refusal?: Refusal
    cause?: unknown
  }) {
    super(facts.message, { cause: facts.cause })
    this.status = facts.status
    this.code = facts.code
    this.requestId = facts.requestId
    this.details = facts.details ?? []
    this.retryAfterMs = facts.retryAfterMs
    this.refusal = facts.refusal ?? {}
  }

  /** Whether a later attempt may succeed: there was no response, or its status is 500 or above. */
  get isOutage(): boolean {
    return this.status === 0 || this.status >= 500
  }
}

/** Whether a write was refused because somebody else has saved since the version on which it is based. */
export const isVersionConflict = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.code === 'precondition_failed'

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

/** The error for a response with a 4xx or 5xx status, whatever its body is. */
export function errorFromResponse(
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
      message:
        status >= 500
          ? 'The station is not responding right now.'
          : `The server responded with status ${status}.`,
      retryAfterMs,
    })
  }
  return new ApiError({
    status,
    code: body.code,
    message: body.message,
    requestId: body.requestId,
    details: body.details,
    refusal: body,
    retryAfterMs: typeof body.retryAfterMs === 'number' ? body.retryAfterMs : retryAfterMs,
  })
}

/** The error for a `fetch` without a response. An abort by the caller is returned unchanged. */
export function errorFromFailure(failure: unknown): unknown {
  if (failure instanceof DOMException && failure.name === 'AbortError') return failure
  const timedOut = failure instanceof DOMException && failure.name === 'TimeoutError'
  return new ApiError({
    status: 0,
    code: timedOut ? 'timed_out' : 'network_failed',
    message: timedOut ? 'The server took too long to respond.' : 'The server cannot be reached.',
    cause: failure,
  })
}
