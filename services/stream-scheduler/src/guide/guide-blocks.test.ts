import fc from 'fast-check'
import { expect, it } from 'vitest'
import { guideBlocks, LONG_PROGRAMME_MS, scheduleBlockKey } from './guide-blocks.ts'

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

/** Consecutive programmes, some of them in blocks of a schedule. */
const scheduled = fc
  .array(
    fc.record({
      lengthMs: fc.integer({ min: 1000, max: HOUR_MS }),
      key: fc.constantFrom(null, 'block-night', 'block-morning', 'special-show'),
    }),
    { maxLength: 60 },
  )
  .map((parts) =>
    chain(
      noonMs,
      parts.map(({ lengthMs }) => lengthMs),
    ).map((programme, index) => ({ ...programme, key: parts[index]!.key })),
  )

it('groups the programmes of a schedule by block, and covers all of them without overlaps', () => {
  fc.assert(
    fc.property(scheduled, fc.boolean(), (programmes, clamp) => {
      const blocks = guideBlocks(programmes, noonMs, clamp, ({ key }) => key)
      expect(blocks.flatMap((block) => block.programmes)).toEqual(programmes)
      expect(new Set(blocks.map(({ id }) => id)).size).toBe(blocks.length)
      for (const [index, block] of blocks.entries()) {
        const [{ key }] = block.programmes
        expect(new Set(block.programmes.map((programme) => programme.key))).toEqual(new Set([key]))
        const next = blocks[index + 1]
        if (next === undefined) continue
        expect(block.endsAtMs).toBe(next.startsAtMs)
        if (key !== null) expect(next.programmes[0].key).not.toBe(key)
      }
    }),
  )
})

it('keeps the id of a block of the schedule when the past is dropped, and differs by day', () => {
  const keyed = chain(noonMs, [HOUR_MS, HOUR_MS, HOUR_MS, 21 * HOUR_MS, HOUR_MS]).map((programme, index) => ({
    ...programme,
    key: [null, 'block-gold', 'block-gold', null, 'block-gold'][index] ?? null,
  }))
  const ids = guideBlocks(keyed, noonMs, false, ({ key }) => key).map(({ id }) => id)
  const later = guideBlocks(keyed.slice(2), noonMs, false, ({ key }) => key).map(({ id }) => id)
  expect(ids.filter((id) => id.startsWith('block-gold'))).toHaveLength(2)
  expect(later).toEqual([ids[1], ...ids.slice(2)])
})

it('distinguishes blocks, specials and takeovers', () => {
  const reason = {
    version: 1,
    slot: null,
    source: 'a',
    number: null,
    count: null,
    relaxed: [],
    ident: null,
    cut: false,
  }
  expect(scheduleBlockKey({ reason: null })).toBeNull()
  expect(scheduleBlockKey({ reason: { ...reason, blockId: null, specialId: null } })).toBeNull()
  expect(scheduleBlockKey({ reason: { ...reason, blockId: 'gold', specialId: null } })).toBe('block-gold')
  expect(scheduleBlockKey({ reason: { ...reason, blockId: null, specialId: 'gold' } })).toBe('special-gold')
  const takeover = { title: 'Live from the harbour', isLive: true }
  expect(scheduleBlockKey({ reason: { ...reason, blockId: null, specialId: null, takeover } })).toBe(
    'takeover',
  )
})
