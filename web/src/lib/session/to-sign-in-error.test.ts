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

it('includes the waiting time after too many attempts', () => {
  const refusal = new AuthApiError('Request rate limit reached', 429, 'over_request_rate_limit')
  expect(toSignInError(refusal, 240_000)).toMatchObject({
    message: 'Too many attempts. Please try again in 4 minutes.',
    retryAfterMs: 240_000,
  })
  expect(toSignInError(refusal)).toMatchObject({
    message: 'Too many attempts. Please try again in a few minutes.',
  })
})

it('has a plain message when the server does not respond', () => {
  expect(toSignInError(new AuthRetryableFetchError('{}', 503))).toMatchObject({
    code: 'service_unavailable',
    message: 'The station is not responding right now.',
  })
})
