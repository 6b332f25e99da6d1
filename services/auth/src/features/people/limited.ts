import { AppError } from '@looptide/service-kit/errors'
import { AuthError } from '../../protocol/auth-error.ts'

/** Answers an exceeded rate limit with `rate_limited` outside the auth protocol. */
export async function limited(take: () => Promise<void>): Promise<void> {
  try {
    await take()
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    throw new AppError('rate_limited', 'Too many requests. Please wait a moment.', {
      retryAfterMs: error.retryAfterMs,
    })
  }
}
