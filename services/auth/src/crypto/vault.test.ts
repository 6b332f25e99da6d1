import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Vault } from './vault.ts'

const vault = new Vault('a secret for tests, long enough to pass')

it('decrypts only with the same context and the same secret', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      const sealed = vault.seal(text, context)
      expect(vault.open(sealed, context)).toBe(text)
      expect(() => vault.open(sealed, `${context}.`)).toThrow()
      expect(() => new Vault('another one').open(sealed, context)).toThrow()
    }),
  )
})

it('encrypts the same text differently each time, and reveals nothing of it', () => {
  const text = 'a token that must stay secret'
  expect(vault.seal(text, 'x').equals(vault.seal(text, 'x'))).toBe(false)
  expect(vault.seal(text, 'x').toString('latin1')).not.toContain('token')
})

it('makes different digests for different purposes and parts', () => {
  expect(vault.digest('a', 'b', 'c').equals(vault.digest('a', 'bc'))).toBe(false)
  expect(vault.digest('a', 'b').equals(vault.digest('b', 'a'))).toBe(false)
  expect(vault.digest('a', 'b').equals(vault.digest('a', 'b'))).toBe(true)
})
