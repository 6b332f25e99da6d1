import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGenuine, judgeRefresh, makeRefreshToken, readRefreshToken } from './refresh-token.ts'
import { Vault } from './vault.ts'

const vault = new Vault('a secret for tests, long enough to pass')
const counters = fc.integer({ min: 1, max: 0xffffffff })
const salts = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes))

describe('a refresh token', () => {
  it('is derived from session, number and salt alone, and read back', () => {
    fc.assert(
      fc.property(fc.uuid(), counters, salts, (id, counter, salt) => {
        const token = makeRefreshToken(vault, salt, id, counter)
        expect(makeRefreshToken(vault, salt, id, counter)).toBe(token)
        const read = readRefreshToken(token)
        expect(read).toMatchObject({ sessionId: id, counter })
        expect(read !== null && isGenuine(vault, salt, read)).toBe(true)
      }),
    )
  })

  it('is no other number, session, salt or secret than its own', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), counters, counters, salts, salts, (id, id2, n, n2, salt, salt2) => {
        fc.pre(id !== id2 && n !== n2 && !salt.equals(salt2))
        const token = makeRefreshToken(vault, salt, id, n)
        const read = readRefreshToken(token)!
        expect(isGenuine(vault, salt, { ...read, counter: n2 })).toBe(false)
        expect(isGenuine(vault, salt, { ...read, sessionId: id2 })).toBe(false)
        expect(isGenuine(vault, salt2, read)).toBe(false)
        expect(isGenuine(new Vault('another secret'), salt, read)).toBe(false)
      }),
    )
  })

  it('is not genuine with any bit changed', () => {
    const salt = randomBytes(16)
    const bytes = Buffer.from(makeRefreshToken(vault, salt, crypto.randomUUID(), 7), 'base64url')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length * 8 - 1 }), (bit) => {
        const changed = Buffer.from(bytes)
        changed[bit >> 3]! ^= 1 << (bit & 7)
        const read = readRefreshToken(changed.toString('base64url'))
        expect(read !== null && isGenuine(vault, salt, read)).toBe(false)
      }),
    )
  })

  it('reads nothing out of other texts', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^[A-Za-z0-9_-]{54}$/.test(text))
        expect(readRefreshToken(text)).toBeNull()
      }),
    )
    expect(readRefreshToken(`${'A'.repeat(53)}B`)).toBeNull()
  })
})

describe('what becomes of a refresh token', () => {
  it.each([
    [5, 5, 99_999, 'rotate'],
    [4, 5, 99_999_999, 'repeat'],
    [3, 5, 10_000, 'repeat'],
    [3, 5, 10_001, 'reused'],
    [1, 5, 0, 'repeat'],
    [1, 5, 60_000, 'reused'],
  ] as const)('number %i of %i, %i ms after the last refresh: %s', (counter, active, ms, verdict) => {
    expect(judgeRefresh(counter, active, ms, 10_000)).toBe(verdict)
  })
})
