import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Candidate } from './candidate.ts'
import { findFit } from './find-fit.ts'
import { exampleLibrary } from './testing/example-library.ts'

const [template] = exampleLibrary(1)
const candidate = (
  index: number,
  durationMs: number,
  breaches = 0,
  artist = `Artist ${index}`,
): Candidate => ({
  itemId: String(index),
  video: { ...(template as NonNullable<typeof template>), id: String(index), durationMs, artistName: artist },
  breaches,
})
const idsOf = (fit: ReturnType<typeof findFit>) => fit?.candidates.map(({ itemId }) => itemId)

test('an exact end needs no countdown', () => {
  const fit = findFit(300_000, [candidate(0, 250_000), candidate(1, 180_000), candidate(2, 120_000)])
  expect(idsOf(fit)).toEqual(['1', '2'])
  expect(fit?.gapMs).toBe(0)
})

test('a video that breaches a rule is used only if nothing else fits', () => {
  expect(idsOf(findFit(200_000, [candidate(0, 195_000, 2), candidate(1, 172_000)]))).toEqual(['1'])
  expect(idsOf(findFit(200_000, [candidate(0, 195_000, 2), candidate(1, 100_000)]))).toEqual(['0'])
})

test('different artists are preferred', () => {
  const same = [candidate(0, 100_000, 0, 'A'), candidate(1, 100_000, 0, 'A'), candidate(2, 100_000, 0, 'B')]
  expect(idsOf(findFit(205_000, same))).toEqual(['0', '2'])
})

test('a group fits in time, with no gap or one of 3 to 30 s', () => {
  const durations = fc.array(fc.integer({ min: 20_000, max: 600_000 }), { maxLength: 60 })
  fc.assert(
    fc.property(durations, fc.integer({ min: 30_001, max: 900_000 }), (list, remainingMs) => {
      const fit = findFit(
        remainingMs,
        list.map((durationMs, index) => candidate(index, durationMs)),
      )
      if (fit === undefined) return
      const playedMs = fit.candidates.reduce((sum, { video }) => sum + video.durationMs, 0)
      expect(playedMs + fit.gapMs).toBe(remainingMs)
      expect(fit.gapMs === 0 || (fit.gapMs >= 3000 && fit.gapMs <= 30_000)).toBe(true)
      expect(new Set(idsOf(fit)).size).toBe(fit.candidates.length)
    }),
  )
})
