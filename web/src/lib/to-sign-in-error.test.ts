import { AuthApiError, AuthRetryableFetchError } from '@supabase/auth-js'
import { expect, it } from 'vitest'
import { toSignInError } from './to-sign-in-error.ts'

it('keeps the code and the message of a refusal', () => {
  const refusal = new AuthApiError('Invalid login credentials', 400, 'invalid_credentials')
  expect(toSignInError(refusal)).toMatchObject({
    code: 'invalid_credentials',
    message: 'Invalid login credentials',
  })
})

it('says how long to wait when there were too many', () => {
  const refusal = new AuthApiError('Request rate limit reached', 429, 'over_request_rate_limit')
  expect(toSignInError(refusal, 240_000)).toMatchObject({
    message: 'Too many attempts. Please try again in 4 minutes.',
    retryAfterMs: 240_000,
  })
  expect(toSignInError(refusal)).toMatchObject({
    message: 'Too many attempts. Please try again in a few minutes.',
  })
})

it('says in plain words that nobody answers', () => {
  expect(toSignInError(new AuthRetryableFetchError('{}', 503))).toMatchObject({
    code: 'service_unavailable',
    message: 'The station is not answering right now.',
  })
})
