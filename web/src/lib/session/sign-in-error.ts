/** A refusal by the auth service. `code` is that of the auth protocol; `message` can be shown to the user. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly code: string
  /** Time to wait before the next attempt, in ms; undefined if the server sent none. */
  readonly retryAfterMs: number | undefined
  constructor(code: string, message: string, cause: unknown, retryAfterMs?: number) {
    super(message, { cause })
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}
