import { AuthApiError, AuthRetryableFetchError } from '@supabase/auth-js'
import { expect, it } from 'vitest'
import { sessionIdOf, toSignInError } from './auth-client.ts'

const tokenWith = (claims: unknown) =>
  `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`

it('reads the session from a token, with every character a claim may hold', () => {
  expect(sessionIdOf(tokenWith({ session_id: 'abc', name: '??>>ÿ' }))).toBe('abc')
})

it('finds no session in what is not a token of ours', () => {
  for (const nonsense of ['', 'a', 'a.b.c', tokenWith(null), tokenWith({ session_id: 7 })]) {
    expect(sessionIdOf(nonsense)).toBeUndefined()
  }
})

it('keeps the code and the message of a refusal', () => {
  const refusal = new AuthApiError('Invalid login credentials', 400, 'invalid_credentials')
  expect(toSignInError(refusal)).toMatchObject({
    code: 'invalid_credentials',
    message: 'Invalid login credentials',
  })
})

it('says in plain words that nobody answers', () => {
  expect(toSignInError(new AuthRetryableFetchError('{}', 503))).toMatchObject({
    code: 'service_unavailable',
    message: 'The station is not answering right now.',
  })
})
