import fc from 'fast-check'
import { expect, it } from 'vitest'
import { recallSound, rememberSound, type SoundWish } from './remembered-sound.ts'

function storage(text: string | null = null) {
  let stored = text
  return {
    getItem: () => stored,
    setItem: (_key: string, value: string) => {
      stored = value
    },
  }
}

it('begins at 0.7, not muted', () => {
  expect(recallSound(() => storage())).toEqual({ volume: 0.7, muted: false })
})

it('recalls what was wished for; silence is muted', () => {
  const volume = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0)
  fc.assert(
    fc.property(volume, fc.boolean(), (volume, muted) => {
      const place = storage()
      rememberSound({ volume, muted }, () => place)
      expect(recallSound(() => place)).toEqual({ volume, muted: muted || volume === 0 } satisfies SoundWish)
    }),
  )
})

it('answers a usable wish whatever is stored', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const { volume, muted } = recallSound(() => storage(text))
      expect(volume >= 0 && volume <= 1).toBe(true)
      expect(typeof muted).toBe('boolean')
    }),
  )
})

it('does without a storage', () => {
  const shut = () => {
    throw new DOMException('no', 'SecurityError')
  }
  rememberSound({ volume: 0.2, muted: false }, shut)
  expect(recallSound(shut)).toEqual({ volume: 0.7, muted: false })
})
