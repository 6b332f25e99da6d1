import { expect, it } from 'vitest'
import { needsSecondFactor, sessionIdOf, signedInByEmail } from './token-claims.ts'

const tokenWith = (claims: unknown) =>
  `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`

it('reads the session from a token, with every character a claim may hold', () => {
  expect(sessionIdOf(tokenWith({ session_id: 'abc', name: '??>>ÿ' }))).toBe('abc')
})

it('says whether the second factor is missing', () => {
  expect(needsSecondFactor(tokenWith({ second_factor: 'pending' }))).toBe(true)
  expect(needsSecondFactor(tokenWith({ aal: 'aal2' }))).toBe(false)
})

it('finds no session in other texts', () => {
  for (const nonsense of ['', 'a', 'a.b.c', tokenWith(null), tokenWith({ session_id: 7 })]) {
    expect(sessionIdOf(nonsense)).toBeUndefined()
  }
})

it('recognises a session that started by email within the hour', () => {
  const nowMs = 1_700_000_000_000
  const token = (method: string, agoS: number) =>
    tokenWith({ amr: [{ method, timestamp: nowMs / 1000 - agoS }] })
  expect(signedInByEmail(token('otp', 60), nowMs)).toBe(true)
  expect(signedInByEmail(token('otp', 3601), nowMs)).toBe(false)
  expect(signedInByEmail(token('password', 60), nowMs)).toBe(false)
  for (const amr of [undefined, 'otp', [null], [{}]])
    expect(signedInByEmail(tokenWith({ amr }), nowMs)).toBe(false)
})
