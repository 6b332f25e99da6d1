import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Loop, type LoopItem, planLoop } from './plan-loop.ts'
import { countRepeats, restOfCycle } from './rest-of-cycle.ts'

const HOUR_MS = 3_600_000

const makeItems = (artists: readonly number[], durationMs = 200_000): LoopItem[] =>
  artists.map((artist, index) => ({
    itemId: `item ${index}`,
    videoId: `video ${index}`,
    videoVersion: 1,
    durationMs: durationMs + index * 1000,
    artist: `artist ${artist}`,
  }))

const loops = fc.record({
  artists: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 40 }),
  durationMs: fc.integer({ min: 30_000, max: 900_000 }),
  shuffle: fc.boolean(),
  seed: fc.string({ maxLength: 8 }),
  hours: fc.integer({ min: 1, max: 28 }),
})

const canSeparate = (items: readonly LoopItem[]): boolean => {
  const sizes = [...Map.groupBy(items, (item) => item.artist).values()].map((group) => group.length)
  return items.length > 1 && Math.max(...sizes) * 2 <= items.length
}

const start = { seq: 7, startsAtMs: 1_000_000, previousArtist: null, cycle: null }

test('a plan has no gap and no overlap, covers its time span and numbers programmes consecutively', () => {
  fc.assert(
    fc.property(loops, ({ artists, durationMs, shuffle, seed, hours }) => {
      const loop: Loop = { items: makeItems(artists, durationMs), shuffle, seed }
      const untilMs = start.startsAtMs + hours * HOUR_MS
      const { programmes } = planLoop(loop, start, untilMs, 200_000)
      expect(programmes[0]).toMatchObject({ seq: 7, startsAtMs: 1_000_000, cycleSeq: 7 })
      const faulty = programmes.filter((programme, index) => {
        const before = programmes[index - 1]
        if (before === undefined) return false
        return programme.startsAtMs !== before.endsAtMs || programme.seq !== before.seq + 1
      })
      expect(faulty).toEqual([])
      expect(programmes.at(-1)!.endsAtMs).toBeGreaterThanOrEqual(untilMs)
      expect(programmes.at(-1)!.startsAtMs).toBeLessThan(untilMs)
    }),
    { numRuns: 50 },
  )
})

test('a programme lasts at least a second, however short its video', () => {
  const items = makeItems([0], 1)
  const { programmes } = planLoop({ items, shuffle: false, seed: '' }, start, start.startsAtMs + 60_000, 100)
  expect(programmes).toHaveLength(60)
})

test('a shuffled loop has no repeats of an artist, also between cycles, if the counts allow it', () => {
  fc.assert(
    fc.property(loops, ({ artists, seed }) => {
      const items = makeItems(artists)
      fc.pre(canSeparate(items))
      const { programmes } = planLoop(
        { items, shuffle: true, seed },
        start,
        start.startsAtMs + 28 * HOUR_MS,
        5000,
      )
      const byId = new Map(items.map((item) => [item.itemId, item]))
      expect(
        countRepeats(
          programmes.map((programme) => byId.get(programme.itemId)!),
          null,
        ),
      ).toBe(0)
    }),
    { numRuns: 100 },
  )
})

test('every cycle plays every item once', () => {
  fc.assert(
    fc.property(loops, ({ artists, shuffle, seed }) => {
      const items = makeItems(artists)
      const { programmes } = planLoop({ items, shuffle, seed }, start, start.startsAtMs + 20 * HOUR_MS, 5000)
      const cycles = [...Map.groupBy(programmes, (programme) => programme.cycleSeq).values()].slice(0, -1)
      for (const cycle of cycles) {
        expect(cycle.map((programme) => programme.itemId).toSorted()).toEqual(
          items.map((item) => item.itemId).toSorted(),
        )
      }
    }),
    { numRuns: 50 },
  )
})

test('a plan continued from any cut equals the uncut plan', () => {
  fc.assert(
    fc.property(loops, fc.integer({ min: 1, max: 50 }), ({ artists, shuffle, seed }, cut) => {
      const loop: Loop = { items: makeItems(artists), shuffle, seed }
      const byId = new Map(loop.items.map((item) => [item.itemId, item]))
      const whole = planLoop(loop, start, Number.POSITIVE_INFINITY, cut + 60)
      const first = planLoop(loop, start, Number.POSITIVE_INFINITY, cut)
      const last = first.programmes.at(-1)!
      const second = planLoop(
        loop,
        {
          seq: last.seq + 1,
          startsAtMs: last.endsAtMs,
          previousArtist: byId.get(last.itemId)!.artist,
          cycle: first.cycle,
        },
        Number.POSITIVE_INFINITY,
        60,
      )
      expect([...first.programmes, ...second.programmes]).toEqual(whole.programmes)
    }),
    { numRuns: 50 },
  )
})

const edits = fc.record({
  artists: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 30 }),
  aired: fc.integer({ min: 1, max: 10 }),
  removed: fc.array(fc.integer({ min: 0, max: 29 }), { maxLength: 8 }),
  added: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 8 }),
  seed: fc.string({ maxLength: 8 }),
})

test('after an edit of a shuffled loop the cycle continues with the remaining and new items, artists separated', () => {
  fc.assert(
    fc.property(edits, ({ artists, aired, removed, added, seed }) => {
      const before = makeItems(artists)
      const { cycle } = planLoop({ items: before, shuffle: true, seed }, start, start.startsAtMs + 1, 1)
      const order = cycle!.order
      const played = order.slice(0, Math.min(aired, order.length))
      const removedIds = new Set(removed.map((index) => `item ${index}`))
      const newItems = makeItems([...artists, ...added]).slice(artists.length)
      const items = [...before.filter((item) => !removedIds.has(item.itemId)), ...newItems]
      const onAir = played.at(-1)!
      const rest = restOfCycle(
        { items, shuffle: true, seed },
        {
          itemId: onAir.itemId,
          artist: onAir.artist,
          planned: order.slice(played.length).map((item) => item.itemId),
          aired: new Set(played.map((item) => item.itemId)),
        },
        'edit',
      )
      const due = items.filter((item) => !played.some((known) => known.itemId === item.itemId))
      if (rest.length > 0) {
        expect(rest.map((item) => item.itemId).toSorted()).toEqual(due.map((item) => item.itemId).toSorted())
      }
      if (canSeparate(items)) expect(countRepeats(rest, onAir.artist)).toBe(0)
    }),
    { numRuns: 300 },
  )
})

test('an edit of a shuffled loop without changes keeps the order', () => {
  fc.assert(
    fc.property(edits, ({ artists, aired, seed }) => {
      const items = makeItems(artists)
      fc.pre(canSeparate(items))
      const { cycle } = planLoop({ items, shuffle: true, seed }, start, start.startsAtMs + 1, 1)
      const index = Math.min(aired, items.length)
      const planned = cycle!.order.slice(index).map((item) => item.itemId)
      const onAir = cycle!.order[index - 1]!
      const aired_ = new Set(cycle!.order.slice(0, index).map((item) => item.itemId))
      const state = { itemId: onAir.itemId, artist: onAir.artist, planned, aired: aired_ }
      const rest = restOfCycle({ items, shuffle: true, seed }, state, 'edit')
      expect(rest.map((item) => item.itemId)).toEqual(planned)
    }),
    { numRuns: 100 },
  )
})

test('in playlist order an edit continues after the item on the air, at its new position', () => {
  const items = makeItems([0, 1, 2, 3])
  const [a, b, c, d] = items as [LoopItem, LoopItem, LoopItem, LoopItem]
  const after = (list: LoopItem[], onAir: LoopItem, planned: LoopItem[]) =>
    restOfCycle(
      { items: list, shuffle: false, seed: '' },
      {
        itemId: onAir.itemId,
        artist: onAir.artist,
        planned: planned.map((item) => item.itemId),
        aired: new Set(),
      },
      '',
    )
  expect(after([a, c, b, d], a, [b, c, d])).toEqual([c, b, d])
  expect(after([c, d, a, b], b, [c, d])).toEqual([])
  expect(after([a, c, d], b, [c, d])).toEqual([c, d])
  expect(after([a, d], b, [c, d])).toEqual([d])
  expect(after([a], b, [c, d])).toEqual([a])
})
