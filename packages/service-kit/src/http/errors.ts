import { ERROR_STATUS, type ErrorBody, type ErrorCode, GUARD_MESSAGES } from '@looptide/contracts/errors'
import type { AttemptLack } from '@looptide/contracts/http/admin'

/** Members of the body that some codes have, see `packages/contracts/src/errors.ts`. */
type Refusal = Pick<ErrorBody, 'rule' | 'until' | 'missingMs'>

export interface AppErrorOptions {
  cause?: unknown
  details?: ErrorBody['details']
  retryAfterMs?: number
  problems?: ErrorBody['problems']
  current?: unknown
  refusal?: Refusal
  /** See {@link AppError.lacks}. */
  lacks?: AttemptLack | null
}

/** An error with a stable code. Services throw it; the server's error handler turns it into the response. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: ErrorBody['details']
  readonly retryAfterMs: number | undefined
  readonly problems: ErrorBody['problems']
  /** The current state of the object that a write with an outdated version would have changed. */
  readonly current: unknown
  readonly refusal: Refusal
  /**
   * What the user of an attempted admin or moderator action lacks. Such an attempt is recorded in the audit log
   * (refused-attempts.ts). `role` for every `forbidden` by default, so that no new route is missed. Null: no such attempt.
   */
  readonly lacks: AttemptLack | null

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = ERROR_STATUS[code]
    this.details = options.details
    this.retryAfterMs = options.retryAfterMs
    this.problems = options.problems
    this.current = options.current
    this.refusal = options.refusal ?? {}
    this.lacks = options.lacks === undefined && code === 'forbidden' ? 'role' : (options.lacks ?? null)
  }
}

export const errors = {
  validation: (message: string, details?: ErrorBody['details']) =>
    new AppError('validation_failed', message, { details }),
  unauthorized: (message = 'Please sign in.') => new AppError('unauthorized', message),
  /** The user lacks a role. The attempt is recorded in the audit log. */
  forbidden: (message: string = GUARD_MESSAGES.forbidden) => new AppError('forbidden', message),
  /** Refused regardless of the role: the resource is another user's, or a proof is missing. Not recorded. */
  notAllowed: (message: string) => new AppError('forbidden', message, { lacks: null }),
  /** The operation is closed to anonymous users. Recorded in the audit log if it is an admin or moderator action. */
  accountRequired: (message: string, isStaffAction: boolean) =>
    new AppError('forbidden', message, { lacks: isStaffAction ? 'account' : null }),
  /** The session must be verified with a second factor. Not recorded: the user has the role. */
  secondFactorRequired: () =>
    new AppError('second_factor_required', 'Confirm with your second factor first.'),
  staffFactorRequired: () =>
    new AppError('second_factor_required', 'Turn on two-step verification in your profile first.'),
  secondFactorOutdated: () =>
    new AppError('second_factor_outdated', 'Confirm this action with your second factor.'),
  /** The session is too old to add or change a way to get access. Not recorded. */
  recentSignInRequired: () =>
    new AppError('recent_sign_in_required', 'Please sign in again to confirm this action.'),
  /** A row that the request refers to was deleted between the check and the write. */
  deletedMeanwhile: () =>
    new AppError(
      'conflict',
      'Something that this refers to was deleted in the meantime. Reload and try again.',
    ),
  /**
   * A personal access token without the scope that the operation needs; null: no token may run it. Recorded in the audit
   * log if the operation is an admin or moderator action.
   */
  insufficientScope: (scope: string | null, isStaffAction: boolean) => {
    const lacks = isStaffAction ? 'scope' : null
    return scope === null
      ? new AppError('insufficient_scope', 'Personal access tokens cannot do this. Sign in instead.', {
          lacks,
        })
      : new AppError('insufficient_scope', `The personal access token lacks the scope "${scope}".`, {
          details: [{ path: '/scope', message: scope }],
          lacks,
        })
  },
  notFound: (what: string) => new AppError('not_found', `${what} was not found.`),
  conflict: (message: string) => new AppError('conflict', message),
  unavailable: (what: string, cause?: unknown) =>
    new AppError('service_unavailable', `${what} is unavailable. Please try again.`, { cause }),
}

/** Errors of a connection. */
const CONNECTION_CODES = new Set([
  'EADDRNOTAVAIL',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
])
/**
 * SQL states (PostgreSQL documentation, appendix A) that are worth a retry, since the query is not at fault: class 08
 * (connection), 40 (rolled back because of a concurrent transaction), 53 (disk, memory or connections exhausted), 57
 * (cancelled by a timeout or an operator), 58 (error of the operating system) and XX (internal error: Postgres uses it for
 * file errors that have no state of their own), a read-only replica, and the timeouts of a lock and of an idle transaction.
 */
const OUTAGE_SQL_STATE = /^(?:(?:08|40|53|57|58|XX)[0-9A-Z]{3}|25006|25P03|55P03)$/
const OUTAGE_TEXT =
  /Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Cannot use a pool after|Query read timeout/i

/** Whether this error is an outage of a dependency, which is worth retrying, rather than an error of the request. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AppError) return error.code === 'service_unavailable'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (CONNECTION_CODES.has(code) || OUTAGE_SQL_STATE.test(code)) return true
  if (OUTAGE_TEXT.test(error.message)) return true
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  return error.cause === undefined ? false : isOutage(error.cause)
}

/** Whether Postgres cancelled a statement because of its statement timeout. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === '57014' &&
  error.message.includes('statement timeout')

/** SQL states of values that pass validation but that Postgres refuses: NUL, lone surrogates, numbers out of range. */
const INVALID_VALUE_CODES = new Set(['22003', '22007', '22008', '22021', '22P02', '22P05'])

/** Whether Postgres refused a value of the request (PostgreSQL documentation, appendix A, class 22). */
export const isInvalidValueError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  INVALID_VALUE_CODES.has(error.code)

/** Whether a write refers to a row that another transaction has just deleted (a foreign key was violated). */
export const isMissingReference = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23503'
