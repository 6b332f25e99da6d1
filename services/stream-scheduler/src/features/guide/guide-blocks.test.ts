import fc from 'fast-check'
import { expect, it } from 'vitest'
import { guideBlocks, LONG_PROGRAMME_MS } from './guide-blocks.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const noonMs = Date.UTC(2026, 10, 20, 12)

function chain(startsAtMs: number, lengthsMs: readonly number[]) {
  let atMs = startsAtMs
  return lengthsMs.map((lengthMs) => {
    const programme = { startsAtMs: atMs, endsAtMs: atMs + lengthMs }
    atMs += lengthMs
    return programme
  })
}

const timelines = fc.record({
  programmes: fc
    .tuple(
      fc.integer({ min: 0, max: HOUR_MS }),
      fc.array(fc.integer({ min: 1000, max: 2 * HOUR_MS }), { maxLength: 60 }),
    )
    .map(([beforeMs, lengths]) => chain(noonMs - beforeMs, lengths)),
  quarter: fc.integer({ min: 0, max: 3 }),
  clamp: fc.boolean(),
})

it('contains each programme once and in order, and leaves no gap between blocks', () => {
  fc.assert(
    fc.property(timelines, ({ programmes, quarter, clamp }) => {
      const blocks = guideBlocks(programmes, noonMs + quarter * 15 * MINUTE_MS, clamp)
      expect(blocks.flatMap((block) => block.programmes)).toEqual(programmes)
      for (const block of blocks) {
        expect(block.startsAtMs).toBe(block.programmes[0].startsAtMs)
        expect(block.endsAtMs).toBe(block.programmes.at(-1)!.endsAtMs)
      }
      expect(new Set(blocks.map(({ id }) => id)).size).toBe(blocks.length)
    }),
  )
})

it('gives a long programme a block of its own, and groups programmes that start within one hour', () => {
  fc.assert(
    fc.property(timelines, ({ programmes, quarter, clamp }) => {
      const fromMs = noonMs + quarter * 15 * MINUTE_MS
      const hours = ({ startsAtMs }: { startsAtMs: number }) =>
        Math.floor(((clamp ? Math.max(startsAtMs, fromMs) : startsAtMs) - fromMs) / HOUR_MS)
      for (const block of guideBlocks(programmes, fromMs, clamp)) {
        const isLong = block.programmes.some((p) => p.endsAtMs - p.startsAtMs >= LONG_PROGRAMME_MS)
        expect(isLong && block.programmes.length > 1).toBe(false)
        expect(new Set(block.programmes.map(hours)).size).toBe(1)
      }
    }),
  )
})

it('keeps the id of a block when the past is dropped and when a later hour is edited', () => {
  const minutes = (...lengths: number[]) => lengths.map((length) => length * MINUTE_MS)
  const programmes = chain(noonMs, minutes(20, 3, 4, 33, 3, 57, 30, 30))
  const ids = (list: typeof programmes, fromMs: number) =>
    guideBlocks(list, fromMs, false).map(({ id, startsAtMs }) => [startsAtMs, id])
  const all = ids(programmes, noonMs)
  expect(ids(programmes.slice(4), noonMs + HOUR_MS)).toEqual(all.slice(3))
  const edited = [...programmes.slice(0, 6), ...chain(noonMs + 2 * HOUR_MS, minutes(5, 5, 50))]
  expect(ids(edited, noonMs).slice(0, 5)).toEqual(all.slice(0, 5))
})

it('adds a programme that started in the previous hour to the first hour of a clamped window', () => {
  const programmes = chain(noonMs - 2 * MINUTE_MS, [4 * MINUTE_MS, 3 * MINUTE_MS])
  expect(guideBlocks(programmes, noonMs, true)).toHaveLength(1)
  expect(guideBlocks(programmes, noonMs, false)).toHaveLength(2)
})
