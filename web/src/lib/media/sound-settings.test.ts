import fc from 'fast-check'
import { expect, it } from 'vitest'
import { loadSound, type SoundSettings, saveSound } from './sound-settings.ts'

function storage(text: string | null = null) {
  let stored = text
  return {
    getItem: () => stored,
    setItem: (_key: string, value: string) => {
      stored = value
    },
  }
}

it('defaults to 0.7, not muted', () => {
  expect(loadSound(() => storage())).toEqual({ volume: 0.7, muted: false })
})

it('loads the stored settings; volume 0 is muted', () => {
  const volume = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0)
  fc.assert(
    fc.property(volume, fc.boolean(), (volume, muted) => {
      const place = storage()
      saveSound({ volume, muted }, () => place)
      expect(loadSound(() => place)).toEqual({ volume, muted: muted || volume === 0 } satisfies SoundSettings)
    }),
  )
})

it('returns valid settings whatever is stored', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const { volume, muted } = loadSound(() => storage(text))
      expect(volume >= 0 && volume <= 1).toBe(true)
      expect(typeof muted).toBe('boolean')
    }),
  )
})

it('works without storage', () => {
  const shut = () => {
    throw new DOMException('no', 'SecurityError')
  }
  saveSound({ volume: 0.2, muted: false }, shut)
  expect(loadSound(shut)).toEqual({ volume: 0.7, muted: false })
})
