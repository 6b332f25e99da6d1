import { type Static, Type } from 'typebox'

/**
 * All error codes with their HTTP status. Codes are stable: clients match on codes, never on messages. (`/auth/v1` has its
 * own codes, which its protocol defines.)
 */
export const ERROR_STATUS = {
  bad_request: 400,
  validation_failed: 400,
  bad_json: 400,
  /** A schedule document has errors; `problems` lists them. */
  schedule_invalid: 400,
  /** The word list of the chat has wrong entries; `problems` lists them. */
  word_list_invalid: 400,
  invalid_cursor: 400,
  unauthorized: 401,
  session_not_found: 401,
  forbidden: 403,
  /** The station lets only people who manage channels publish schedules (`SCHEDULE_APPROVAL`). */
  approval_required: 403,
  user_restricted: 403,
  /** The session must be verified with a second factor first. */
  second_factor_required: 403,
  /** The second factor was verified too long ago for this action. The request may be repeated after another code. */
  second_factor_outdated: 403,
  /** The sign-in is too long ago for this action. The request may be repeated in a new session. */
  recent_sign_in_required: 403,
  /** The personal access token may not do this; `details` names the scope it lacks. */
  insufficient_scope: 403,
  /** The channel accepts no requests. */
  requests_closed: 403,
  /** The account may request videos from `until` on. */
  account_too_new: 403,
  /** Votes need time watched in the last day; `missingMs` is missing. */
  not_watching: 403,
  /** The request was sent over plain http to a station that requires https. */
  https_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  handle_taken: 409,
  already_exists: 409,
  /** The catalogue has the video, but the scheduler has not received it yet. */
  video_not_ready: 409,
  /** A rule of the channel forbids the video: `rule`, and `until` when it does. */
  request_not_possible: 409,
  /** The account has as many requests waiting as it may have. */
  request_limit: 409,
  /** The account likes as many videos as it may. */
  like_limit: 409,
  /** The channel has an open poll. */
  poll_open: 409,
  /** The poll is closed. */
  poll_closed: 409,
  /** The account has as many reminders as it may. */
  reminder_limit: 409,
  /** As many browsers as may receive the reminders of the account. */
  push_subscription_limit: 409,
  /** `If-Match` does not name the current version; nothing was changed. */
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  /** No byte of the requested range exists. `Content-Range` names the size. */
  range_not_satisfiable: 416,
  unprocessable: 422,
  /** The message contains a word that the word list of the chat refuses. */
  message_refused: 422,
  /** The malware scanner found a known signature in the uploaded picture. */
  malware_found: 422,
  rate_limited: 429,
  admin_rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  /** The body of the request is encoded for its transfer in another way than `chunked`. */
  unsupported_transfer_coding: 501,
  /** oEmbed: the answer exists as JSON only. */
  format_not_supported: 501,
  service_unavailable: 503,
  /** The uploaded picture was refused because the malware scanner did not answer. */
  scanner_unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/**
 * Body of every error response outside `/auth/v1`. `retryAfterMs` is set for 429 and `video_not_ready`, `problems` for
 * `schedule_invalid` and `word_list_invalid`. `rule`, `until` and `missingMs`: see their codes above. `current`: for 412 of a schedule's draft, the draft as another user has saved it.
 */
export const ErrorBody = Type.Object({
  code: Type.String(),
  message: Type.String(),
  requestId: Type.String(),
  details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  retryAfterMs: Type.Optional(Type.Integer({ minimum: 0 })),
  problems: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  current: Type.Optional(Type.Unknown()),
  rule: Type.Optional(Type.String()),
  /** RFC 3339; null if it is not known. */
  until: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  missingMs: Type.Optional(Type.Integer({ minimum: 1 })),
})
export type ErrorBody = Static<typeof ErrorBody>

/** Messages of guarded actions. Clients show them unchanged. */
export const GUARD_MESSAGES = {
  unauthorized: 'Please log in to perform this action',
  forbidden: "You don't have permission to perform this action",
  admin_rate_limited: 'Too many admin actions. Please wait before trying again.',
} as const
