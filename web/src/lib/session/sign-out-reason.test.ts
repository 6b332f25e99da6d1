import { beforeEach, expect, it, vi } from 'vitest'
import { readSignOutReason, saveBan, saveSignOutReason } from './sign-out-reason.ts'

beforeEach(() => {
  const texts = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
  })
})

it('returns why the session ended for 10 s', () => {
  saveSignOutReason({ kind: 'banned', reason: 'spam' }, 1_000)
  expect(readSignOutReason(2_000)).toEqual({ kind: 'banned', reason: 'spam' })
  expect(readSignOutReason(60_000)).toEqual({ kind: 'ended' })
})

it('keeps the reason of a ban that is reported again without one', () => {
  saveBan()
  expect(readSignOutReason()).toEqual({ kind: 'banned', reason: null })
  saveSignOutReason({ kind: 'banned', reason: 'spam' })
  saveBan()
  expect(readSignOutReason()).toEqual({ kind: 'banned', reason: 'spam' })
})

it('returns `ended` without storage', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => 'no JSON',
    setItem: () => {
      throw new DOMException('storage is full', 'QuotaExceededError')
    },
  })
  saveSignOutReason({ kind: 'deleted' }, 1_000)
  expect(readSignOutReason(1_000)).toEqual({ kind: 'ended' })
})
