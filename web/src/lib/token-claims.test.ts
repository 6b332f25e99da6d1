import { expect, it } from 'vitest'
import { cameByMail, sessionIdOf } from './token-claims.ts'

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

it('knows a session that was begun by mail within the hour', () => {
  const nowMs = 1_700_000_000_000
  const token = (method: string, agoS: number) =>
    tokenWith({ amr: [{ method, timestamp: nowMs / 1000 - agoS }] })
  expect(cameByMail(token('otp', 60), nowMs)).toBe(true)
  expect(cameByMail(token('otp', 3601), nowMs)).toBe(false)
  expect(cameByMail(token('password', 60), nowMs)).toBe(false)
  for (const amr of [undefined, 'otp', [null], [{}]])
    expect(cameByMail(tokenWith({ amr }), nowMs)).toBe(false)
})
