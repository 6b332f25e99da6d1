import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isGenuine,
  judgeRefresh,
  keepRecent,
  makeRefreshToken,
  type RefreshState,
  readRefreshToken,
} from './refresh-token.ts'
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
  const NOW = 100_000
  const state = (spentAgoMs: Record<number, number>, more: Partial<RefreshState> = {}): RefreshState => ({
    active: 5,
    rotations: Object.entries(spentAgoMs).map(([counter, ms]) => ({
      counter: Number(counter),
      atMs: NOW - ms,
    })),
    arrived: 0,
    sameClient: true,
    ...more,
  })

  it.each<[string, number, RefreshState, string]>([
    ['the active one', 5, state({ 4: 99_999 }), 'rotate'],
    ['the active one elsewhere', 5, state({ 4: 99_999 }, { arrived: 5, sameClient: false }), 'rotate'],
    ['any one within the interval', 3, state({ 3: 10_000, 4: 9_000 }), 'repeat'],
    [
      'one spent longer ago than that, though the last rotation is recent',
      3,
      state({ 3: 10_001, 4: 1 }),
      'reused',
    ],
    [
      'any one within the interval, elsewhere',
      4,
      state({ 4: 9_999 }, { sameClient: false, arrived: 5 }),
      'repeat',
    ],
    ['the parent, when nothing shows that the answer arrived', 4, state({ 4: 90_000 }), 'repeat'],
    ['the parent, when only its own answer arrived', 4, state({ 4: 90_000 }, { arrived: 4 }), 'repeat'],
    ['the parent, when the active answer arrived', 4, state({ 4: 90_000 }, { arrived: 5 }), 'reused'],
    ['the parent, from another network or browser', 4, state({ 4: 90_000 }, { sameClient: false }), 'reused'],
    ['one that nothing is known of', 1, state({}), 'reused'],
  ])('%s', (_case, counter, known, decision) => {
    expect(judgeRefresh(counter, known, NOW, 10_000)).toBe(decision)
  })

  it('keeps what it needs of the past, and no more than 64 entries of it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 200 }), (gaps) => {
        let atMs = 0
        let kept: { counter: number; atMs: number }[] = []
        const all = gaps.map((gap, index) => {
          atMs += gap
          return { counter: index + 1, atMs }
        })
        for (const rotation of all) kept = keepRecent(kept, rotation, 10_000)
        const needed = all.filter((rotation) => atMs - rotation.atMs <= 10_000).slice(-64)
        expect(kept).toEqual(needed)
      }),
    )
  })
})
