import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addRotation,
  decideRefresh,
  isGenuine,
  makeRefreshToken,
  type RefreshState,
  readRefreshToken,
} from './refresh-token.ts'
import { Vault } from './vault.ts'

const vault = new Vault('a secret for tests, long enough to pass')
const counters = fc.integer({ min: 1, max: 0xffffffff })
const salts = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes))

describe('a refresh token', () => {
  it('is derived from session, counter and salt alone, and parsed back', () => {
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

  it('is not valid for another counter, session, salt or secret', () => {
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

  it('is not genuine after any bit was changed', () => {
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

  it('is not parsed from any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^[A-Za-z0-9_-]{54}$/.test(text))
        expect(readRefreshToken(text)).toBeNull()
      }),
    )
    expect(readRefreshToken(`${'A'.repeat(53)}B`)).toBeNull()
  })
})

describe('the decision about a refresh token', () => {
  const NOW = 100_000
  const state = (usedAgoMs: Record<number, number>, more: Partial<RefreshState> = {}): RefreshState => ({
    active: 5,
    rotations: Object.entries(usedAgoMs).map(([counter, ms]) => ({
      counter: Number(counter),
      atMs: NOW - ms,
    })),
    arrived: 0,
    sameClient: true,
    ...more,
  })

  it.each<[string, number, RefreshState, string]>([
    ['the active token', 5, state({ 4: 99_999 }), 'rotate'],
    [
      'the active token from another client',
      5,
      state({ 4: 99_999 }, { arrived: 5, sameClient: false }),
      'rotate',
    ],
    ['any token within the reuse interval', 3, state({ 3: 10_000, 4: 9_000 }), 'repeat'],
    [
      'a token used before the interval, although the last rotation is recent',
      3,
      state({ 3: 10_001, 4: 1 }),
      'reused',
    ],
    [
      'any token within the interval, from another client',
      4,
      state({ 4: 9_999 }, { sameClient: false, arrived: 5 }),
      'repeat',
    ],
    ['the parent, when its successor may not have arrived', 4, state({ 4: 90_000 }), 'repeat'],
    ['the parent, when only its own answer arrived', 4, state({ 4: 90_000 }, { arrived: 4 }), 'repeat'],
    [
      'the parent, when the answer with the active token arrived',
      4,
      state({ 4: 90_000 }, { arrived: 5 }),
      'reused',
    ],
    ['the parent, from another network or browser', 4, state({ 4: 90_000 }, { sameClient: false }), 'reused'],
    ['a token without a recorded rotation', 1, state({}), 'reused'],
  ])('%s', (_case, counter, known, decision) => {
    expect(decideRefresh(counter, known, NOW, 10_000)).toBe(decision)
  })

  it('keeps the rotations of the reuse interval, at most 64', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 200 }), (gaps) => {
        let atMs = 0
        let kept: { counter: number; atMs: number }[] = []
        const all = gaps.map((gap, index) => {
          atMs += gap
          return { counter: index + 1, atMs }
        })
        for (const rotation of all) kept = addRotation(kept, rotation, 10_000)
        const needed = all.filter((rotation) => atMs - rotation.atMs <= 10_000).slice(-64)
        expect(kept).toEqual(needed)
      }),
    )
  })
})
