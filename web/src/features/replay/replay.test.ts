import type { AirLogEntry } from '@looptide/contracts/http/channels'
import type { Video } from '@looptide/contracts/http/videos'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { airedRange, airTimeAt, indexAfterFailure, nextPlayable, reactionsBy, replayItems } from './replay.ts'

const START_MS = 1_800_000_000_000
const entryOf = (id: string, durationMs: number): AirLogEntry => ({
  ...{ id, channelId: 'c', videoId: id, title: id, artistName: 'A', thumbnailUrl: null, isListed: true },
  ...{ startedAtMs: START_MS, endedAtMs: START_MS + durationMs },
})
const videoOf = (id: string, fields: Partial<Video> = {}): Video =>
  ({
    ...{ id, startAtMs: 0, endAtMs: null, durationMs: 200_000, durationAssumed: false },
    ...{ metadataStatus: 'resolved', ...fields },
  }) as Video

it('a position of the player is a time at which the programme was on, and later positions are later times', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7_200_000 }),
      fc.integer({ min: 0, max: 600_000 }),
      fc.array(fc.integer({ min: 0, max: 8_000_000 }), { maxLength: 20 }),
      (durationMs, rangeStartMs, positions) => {
        const entry = entryOf('a', durationMs)
        const times = positions
          .toSorted((a, b) => a - b)
          .map((position) => airTimeAt(entry, rangeStartMs, position))
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        expect(times.every((atMs) => atMs >= entry.startedAtMs && atMs <= entry.endedAtMs)).toBe(true)
        expect(airTimeAt(entry, rangeStartMs, rangeStartMs)).toBe(entry.startedAtMs)
      },
    ),
  )
})

it('plays what was on of a video: to its end, or to where it was cut', () => {
  expect(airedRange(videoOf('a'), entryOf('a', 200_000))).toEqual({ startAtMs: 0, endAtMs: 200_000 })
  expect(airedRange(videoOf('a', { startAtMs: 10_000 }), entryOf('a', 60_000))).toEqual({
    startAtMs: 10_000,
    endAtMs: 70_000,
  })
  expect(airedRange(videoOf('a', { endAtMs: 50_000 }), entryOf('a', 60_000)).endAtMs).toBe(50_000)
})

const steps = fc
  .array(fc.record({ step: fc.integer({ min: 1, max: 360 }), count: fc.integer({ min: 1, max: 9 }) }))
  .map((list) => list.map(({ step, count }) => ({ afterMs: step * 10_000, counts: { '❤️': count } })))

it('reactions are a function of the position: seeking back and forth shows what playing would have shown', () => {
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 0, max: 4_000_000 }),
      fc.integer({ min: 0, max: 500_000 }),
      (all, atMs, laterMs) => {
        const count = (ms: number) => reactionsBy(all, ms)['❤️'] ?? 0
        const added = all.filter(({ afterMs }) => afterMs > atMs && afterMs <= atMs + laterMs)
        const sum = added.reduce((total, { counts }) => total + counts['❤️'], 0)
        expect(count(atMs + laterMs) - count(atMs)).toBe(sum)
      },
    ),
  )
})

it('skips videos that are gone, unavailable or failed, in order', () => {
  const entries = ['a', 'gone', 'b', 'away', 'c'].map((id) => entryOf(id, 1000))
  const items = replayItems(entries, [
    videoOf('a'),
    videoOf('b'),
    videoOf('away', { metadataStatus: 'unavailable' }),
    videoOf('c'),
  ])
  expect(nextPlayable(items, -1, new Set())).toBe(0)
  expect(nextPlayable(items, 0, new Set())).toBe(2)
  expect(nextPlayable(items, 0, new Set(['b']))).toBe(4)
  expect(nextPlayable(items, 4, new Set())).toBeUndefined()
})

it('goes on after a video that failed, stays at the last one, and ends only if nothing can be played', () => {
  const entries = ['a', 'b'].map((id) => entryOf(id, 1000))
  const items = replayItems(entries, [videoOf('a'), videoOf('b')])
  expect(indexAfterFailure(items, 0, new Set(['a']))).toBe(1)
  expect(indexAfterFailure(items, 1, new Set(['b']))).toBe(1)
  expect(indexAfterFailure(items, 1, new Set(['a', 'b']))).toBeUndefined()
})
