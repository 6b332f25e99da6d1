import { type Static, Type } from 'typebox'

/**
 * Every error code a service may answer, with its HTTP status. Codes are stable: clients match on
 * them, never on the message. (`/auth/v1` has its own codes, fixed by the protocol it speaks.)
 */
export const ERROR_STATUS = {
  bad_request: 400,
  validation_failed: 400,
  bad_json: 400,
  invalid_cursor: 400,
  unauthorized: 401,
  session_not_found: 401,
  forbidden: 403,
  user_restricted: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  handle_taken: 409,
  already_exists: 409,
  /** The catalogue has the video, the scheduler not yet. */
  video_not_ready: 409,
  /** `If-Match` names another version than the current one; nothing was changed. */
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  admin_rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  service_unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** The body of every error answer outside `/auth/v1`. `retryAfterMs` comes with 429 and `video_not_ready`. */
export const ErrorBody = Type.Object({
  code: Type.String(),
  message: Type.String(),
  requestId: Type.String(),
  details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  retryAfterMs: Type.Optional(Type.Integer({ minimum: 0 })),
})
export type ErrorBody = Static<typeof ErrorBody>

/** Texts of docs/product/viewer.md §8. */
export const GUARD_MESSAGES = {
  unauthorized: 'Please log in to perform this action',
  forbidden: "You don't have permission to perform this action",
  admin_rate_limited: 'Too many admin actions. Please wait before trying again.',
} as const
