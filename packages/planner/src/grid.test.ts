import type { Block, ScheduleDocument } from '@looptide/contracts/schedule'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { segmentsOf } from './grid.ts'

const timeZone = 'Europe/Berlin'
const base: ScheduleDocument = {
  timeZone,
  defaultSource: 'all',
  sources: { all: { kind: 'smart', where: {} } },
}
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const block = (id: string, from: string, to: string, more: Partial<Block> = {}): Block => ({
  id,
  name: id,
  days: [...everyDay],
  from,
  to,
  source: 'all',
  ...more,
})

/** The segments of one local day as `from-to id`, with `!` at hard starts. */
function segmentsOn(date: string, change: Partial<ScheduleDocument>): string[] {
  const from = Temporal.PlainDate.from(date).toZonedDateTime(timeZone)
  const text = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms)
      .toZonedDateTimeISO(timeZone)
      .toPlainTime()
      .toString({ smallestUnit: 'minute' })
  const segments = segmentsOf(
    { ...base, ...change },
    from.epochMilliseconds,
    from.add({ days: 1 }).epochMilliseconds,
  )
  return segments.map(
    ({ item, startMs, endMs, isHardStart }) =>
      `${text(startMs)}-${text(endMs)} ${item?.id ?? '-'}${isHardStart ? '!' : ''}`,
  )
}

test('a block of the evening before continues after midnight', () => {
  const blocks = [block('night', '23:00', '05:00', { days: ['sun'] })]
  expect(segmentsOn('2026-11-23', { blocks })).toEqual(['00:00-05:00 night', '05:00-00:00 -'])
})

test('a block of 24 hours ends where it began', () => {
  const blocks = [block('all-day', '00:00', '00:00', { days: ['mon'] })]
  expect(segmentsOn('2026-11-23', { blocks })).toEqual(['00:00-00:00 all-day'])
})

test('an override replaces the grid of its dates, the first and the last included', () => {
  const blocks = [block('usual', '08:00', '20:00')]
  const overrides = [
    { id: 'holiday', from: '2026-12-24', to: '2026-12-26', blocks: [block('holiday', '10:00', '12:00')] },
  ]
  expect(segmentsOn('2026-12-26', { blocks, overrides })).toEqual([
    '00:00-10:00 -',
    '10:00-12:00 holiday',
    '12:00-00:00 -',
  ])
  expect(segmentsOn('2026-12-27', { blocks, overrides })).toContain('08:00-20:00 usual')
})

test('a special interrupts a block, which continues softly', () => {
  const blocks = [block('evening', '18:00', '23:00', { start: 'hard' })]
  const specials = [
    {
      id: 'premiere',
      name: 'Premiere',
      at: '2026-11-23T20:00',
      durationMs: 3_600_000,
      start: 'hard' as const,
      source: 'all',
    },
  ]
  expect(segmentsOn('2026-11-23', { blocks, specials })).toEqual([
    '00:00-18:00 -',
    '18:00-20:00 evening!',
    '20:00-21:00 premiere!',
    '21:00-23:00 evening',
    '23:00-00:00 -',
  ])
})

test('a block within the hour that a clock change skips is left out', () => {
  const blocks = [block('skipped', '02:10', '02:50'), block('after', '02:50', '04:00', { start: 'hard' })]
  expect(segmentsOn('2026-03-29', { blocks })).toEqual([
    '00:00-03:00 -',
    '03:00-04:00 after!',
    '04:00-00:00 -',
  ])
})

test('a block over the hour that a clock change repeats is one hour longer', () => {
  const blocks = [block('long', '02:00', '04:00')]
  const from = Date.UTC(2026, 9, 25)
  const long = segmentsOf({ ...base, blocks }, from, from + 12 * 3_600_000).find(
    ({ item }) => item?.id === 'long',
  )
  expect((long?.endMs ?? 0) - (long?.startMs ?? 0)).toBe(3 * 3_600_000)
})
