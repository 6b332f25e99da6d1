import { beforeEach, expect, it, vi } from 'vitest'
import { noteLeaving, whyLeft } from './leaving.ts'

beforeEach(() => {
  const texts = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
  })
})

it('tells why the session ended, shortly after', () => {
  noteLeaving({ kind: 'banned', reason: 'spam' }, 1_000)
  expect(whyLeft(2_000)).toEqual({ kind: 'banned', reason: 'spam' })
  expect(whyLeft(60_000)).toEqual({ kind: 'ended' })
})

it('says only that it ended where nothing can be noted', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => 'no JSON',
    setItem: () => {
      throw new DOMException('no room', 'QuotaExceededError')
    },
  })
  noteLeaving({ kind: 'wished' }, 1_000)
  expect(whyLeft(1_000)).toEqual({ kind: 'ended' })
})
