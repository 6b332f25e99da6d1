import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { provesChallenge, readChallenge } from './pkce.ts'

const CHARS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~']
const verifiers = fc
  .array(fc.constantFrom(...CHARS), { minLength: 43, maxLength: 128 })
  .map((letters) => letters.join(''))
const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

describe('PKCE', () => {
  it('accepts the verifier of a challenge and no other', () => {
    fc.assert(
      fc.property(verifiers, verifiers, (verifier, other) => {
        fc.pre(verifier !== other)
        expect(provesChallenge({ challenge: s256(verifier), method: 's256' }, verifier)).toBe(true)
        expect(provesChallenge({ challenge: s256(verifier), method: 's256' }, other)).toBe(false)
        expect(provesChallenge({ challenge: verifier, method: 'plain' }, verifier)).toBe(true)
        expect(provesChallenge({ challenge: verifier, method: 'plain' }, other)).toBe(false)
      }),
    )
  })

  it('accepts the example of RFC 7636, appendix B', () => {
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
    expect(
      provesChallenge({ challenge, method: 's256' }, 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
    ).toBe(true)
  })

  const good = 'a'.repeat(43)
  it.each([
    [undefined, undefined, null],
    [null, null, null],
    [null, undefined, null],
    ['', '', null],
    [good, 's256', { challenge: good, method: 's256' }],
    [good, 'S256', { challenge: good, method: 's256' }],
    [good, 'PLAIN', { challenge: good, method: 'plain' }],
    [good, null, 'invalid'],
    [null, 's256', 'invalid'],
    [good, 'md5', 'invalid'],
    ['a'.repeat(42), 's256', 'invalid'],
    ['a'.repeat(129), 's256', 'invalid'],
    [`${'a'.repeat(43)}+`, 's256', 'invalid'],
    [43, 's256', 'invalid'],
  ])('reads challenge %j with method %j', (challenge, method, expected) => {
    expect(readChallenge(challenge, method)).toEqual(expected)
  })
})
