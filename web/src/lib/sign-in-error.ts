/** A refusal by the auth service. `code` is one of docs/protocols/auth.md §1.1; `message` is fit to be shown. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly code: string
  /** How long to wait before asking again (ms); undefined when the server did not say. */
  readonly retryAfterMs: number | undefined
  constructor(code: string, message: string, cause: unknown, retryAfterMs?: number) {
    super(message, { cause })
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}
