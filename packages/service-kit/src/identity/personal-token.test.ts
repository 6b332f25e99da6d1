import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPersonalToken, PERSONAL_TOKEN_PREFIX, personalTokenDigest } from './personal-token.ts'

it('a new token can be recognised and has the digest that is stored', () => {
  const { token, digest } = createPersonalToken()
  expect(token).toMatch(/^looptide_pat_[\w-]{48}$/)
  expect(personalTokenDigest(token)).toEqual(digest)
  expect(createPersonalToken().token).not.toBe(token)
})

it('a token with a changed or missing character is not recognised', () => {
  fc.assert(
    fc.property(fc.nat({ max: 47 }), fc.constantFrom('A', 'b', '7', '-', '=', '+', '/', ' '), (at, other) => {
      const { token } = createPersonalToken()
      const index = PERSONAL_TOKEN_PREFIX.length + at
      fc.pre(token[index] !== other)
      expect(personalTokenDigest(token.slice(0, index) + other + token.slice(index + 1))).toBeNull()
      expect(personalTokenDigest(token.slice(0, index))).toBeNull()
    }),
  )
})

it('other texts are not recognised as tokens', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (text) => {
      expect(personalTokenDigest(text)).toBeNull()
      expect(personalTokenDigest(PERSONAL_TOKEN_PREFIX + text)).toBeNull()
    }),
  )
})
