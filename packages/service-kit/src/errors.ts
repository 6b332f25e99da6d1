import { ERROR_STATUS, type ErrorBody, type ErrorCode, GUARD_MESSAGES } from '@looptide/contracts/errors'

export interface AppErrorOptions {
  cause?: unknown
  details?: ErrorBody['details']
  retryAfterMs?: number
  /** See {@link AppError.isMissingRole}. */
  isMissingRole?: boolean
}

/** A refusal or failure with a stable code. Throw it in a service; one handler turns it into the answer. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: ErrorBody['details']
  readonly retryAfterMs: number | undefined
  /**
   * A `forbidden` for want of a role: an attempt at an admin's or moderator's action, which enters the audit log
   * (refused-attempts.ts). That is every `forbidden` that does not say otherwise, so that no new route is left out.
   */
  readonly isMissingRole: boolean

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = ERROR_STATUS[code]
    this.details = options.details
    this.retryAfterMs = options.retryAfterMs
    this.isMissingRole = code === 'forbidden' && options.isMissingRole !== false
  }
}

export const errors = {
  validation: (message: string, details?: ErrorBody['details']) =>
    new AppError('validation_failed', message, { details }),
  unauthorized: (message = 'Please sign in.') => new AppError('unauthorized', message),
  /** The user lacks a role. The attempt enters the audit log. */
  forbidden: (message: string = GUARD_MESSAGES.forbidden) => new AppError('forbidden', message),
  /** Refused whatever the role: the thing is another user's, or a proof is missing. Not an admin attempt. */
  notAllowed: (message: string) => new AppError('forbidden', message, { isMissingRole: false }),
  notFound: (what: string) => new AppError('not_found', `${what} was not found.`),
  conflict: (message: string) => new AppError('conflict', message),
  unavailable: (what: string, cause?: unknown) =>
    new AppError('service_unavailable', `${what} is unavailable. Please try again.`, { cause }),
}

/** Connection faults and the SQL states that mean "the database is away", not "the query is wrong". */
const OUTAGE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '25006',
  // Too slow: a statement or lock took too long, or Postgres ended a transaction in which we had fallen silent.
  '25P03',
  '55P03',
  '57014',
  // The store is full or its disk fails: an operator mends it, the work then goes on.
  '53100',
  '53200',
  '58030',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
])
const OUTAGE_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Cannot use a pool after|Query read timeout/i

/**
 * Is this error an outage of something we depend on (so: try again later), not a fault of the request?
 * SQL states: PostgreSQL documentation, appendix A.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AppError) return error.code === 'service_unavailable'
  if ('code' in error && typeof error.code === 'string' && OUTAGE_CODES.has(error.code)) return true
  if (OUTAGE_TEXT.test(error.message)) return true
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  return error.cause === undefined ? false : isOutage(error.cause)
}

/** Did Postgres end a statement because it took longer than the session allows? */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === '57014' &&
  error.message.includes('statement timeout')

/** Values no column takes, though they passed their schema: NUL in a text, half a character, a number too large. */
const UNFIT_CODES = new Set(['22003', '22007', '22008', '22021', '22P02', '22P05'])

/** Did the database refuse a value of the request's (PostgreSQL documentation, appendix A, class 22)? */
export const isInvalidValueError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && UNFIT_CODES.has(error.code)
