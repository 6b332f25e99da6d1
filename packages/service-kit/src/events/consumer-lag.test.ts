import fc from 'fast-check'
import { expect, it } from 'vitest'
import { retentionUsed } from './consumer-lag.ts'

const DAY_NS = 86_400_000_000_000
const DAY_MS = 86_400_000
const NOW = Date.parse('2026-01-08T00:00:00Z')
type Info = Parameters<typeof retentionUsed>[0]
type Consumer = Parameters<typeof retentionUsed>[1]

/** A stream of a week and 1000 bytes that holds the events `first` to `last`. */
const stream = (first: number, last: number, bytes: number, ageDays: number) =>
  ({
    config: { max_age: 7 * DAY_NS, max_bytes: 1000 },
    state: {
      ...{ first_seq: first, last_seq: last, bytes, messages: last - first + 1 },
      first_ts: new Date(NOW - ageDays * DAY_MS).toISOString(),
    },
  }) as unknown as Info
const behind = (floor: number, pending: number) =>
  ({ num_pending: pending, num_ack_pending: 0, ack_floor: { stream_seq: floor } }) as unknown as Consumer

it('is 0 for a consumer that has consumed everything, even if the stream is full', () => {
  expect(retentionUsed(stream(1, 100, 1000, 7), behind(100, 0), NOW)).toBe(0)
})

it('is 1 if the next event of the consumer is the next one that a full stream discards', () => {
  expect(retentionUsed(stream(50, 149, 1000, 1), behind(49, 100), NOW)).toBe(1)
  expect(retentionUsed(stream(50, 149, 10, 7), behind(20, 100), NOW)).toBe(1)
})

it('grows with the age of a stream of which nothing was consumed', () => {
  expect(retentionUsed(stream(1, 100, 10, 3.5), behind(0, 100), NOW)).toBeCloseTo(0.5)
})

it('is between 0 and 1, and does not decrease while the stream grows and nothing is consumed', () => {
  const facts = fc.record({
    floor: fc.nat(1000),
    first: fc.integer({ min: 1, max: 1000 }),
    count: fc.integer({ min: 1, max: 1000 }),
    grown: fc.nat(1000),
    bytes: fc.nat(1000),
    ageDays: fc.double({ min: 0, max: 7, noNaN: true }),
  })
  fc.assert(
    fc.property(facts, ({ floor, first, count, grown, bytes, ageDays }) => {
      const last = first + count - 1
      const consumer = behind(Math.min(floor, last), 1)
      const now = retentionUsed(stream(first, last, bytes, ageDays), consumer, NOW)
      const later = retentionUsed(stream(first, last + grown, bytes, ageDays), consumer, NOW)
      expect(now).toBeGreaterThanOrEqual(0)
      expect(now).toBeLessThanOrEqual(1)
      expect(later).toBeGreaterThanOrEqual(now - 1e-9)
    }),
  )
})
