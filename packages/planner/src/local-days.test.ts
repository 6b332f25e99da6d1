import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { dayNumber, isoDate, isTimeZone, LocalDays, weekdayOf } from './local-days.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const zones = Intl.supportedValuesOf('timeZone')
const at = (timeZone: string, text: string): string =>
  new Temporal.Instant(BigInt(instantOf(timeZone, text)) * 1_000_000n).toZonedDateTimeISO(timeZone).toString({
    smallestUnit: 'second',
  })

function instantOf(timeZone: string, text: string): number {
  const [hours, minutes] = text.slice(11).split(':').map(Number)
  const day = dayNumber(text.slice(0, 10)) ?? 0
  return new LocalDays(timeZone).instantOf(day, (hours ?? 0) * HOUR_MS + (minutes ?? 0) * MINUTE_MS)
}

/** The clock changes of a zone in two years (epoch ms). */
function clockChanges(timeZone: string): number[] {
  const changes: number[] = []
  let at = Temporal.ZonedDateTime.from(`2026-01-01T00:00[${timeZone}]`)
  for (
    let next = at.getTimeZoneTransition('next');
    next && next.year < 2028;
    next = at.getTimeZoneTransition('next')
  ) {
    changes.push(next.epochMilliseconds)
    at = next
  }
  return changes
}

describe('local times', { timeout: 60_000 }, () => {
  test('a time that does not exist is the first instant after the change', () => {
    expect(at('America/Los_Angeles', '2026-03-08T02:30')).toBe(
      '2026-03-08T03:00:00-07:00[America/Los_Angeles]',
    )
    expect(at('Australia/Lord_Howe', '2026-10-04T02:10')).toBe(
      '2026-10-04T02:30:00+11:00[Australia/Lord_Howe]',
    )
    // Midnight itself does not exist.
    expect(at('Africa/Cairo', '2026-04-24T00:15')).toBe('2026-04-24T01:00:00+03:00[Africa/Cairo]')
  })

  test('a time that exists twice is the first of the two', () => {
    expect(at('America/Los_Angeles', '2026-11-01T01:30')).toBe(
      '2026-11-01T01:30:00-07:00[America/Los_Angeles]',
    )
    expect(at('America/Havana', '2026-11-01T00:00')).toBe('2026-11-01T00:00:00-04:00[America/Havana]')
  })

  test('a date that the zone skips has no duration', () => {
    const days = new LocalDays('Pacific/Apia')
    const skipped = dayNumber('2011-12-30') ?? 0
    expect(days.startOf(skipped)).toBe(days.startOf(skipped + 1))
  })

  test('in every zone and at each of its clock changes, local times become later instants in order', () => {
    for (const timeZone of zones) {
      const days = new LocalDays(timeZone)
      for (const changeMs of clockChanges(timeZone)) {
        const day = days.dayOf(changeMs)
        const instants = Array.from({ length: 97 }, (_, index) => days.instantOf(day, index * 15 * MINUTE_MS))
        expect(instants, `${timeZone} ${isoDate(day)}`).toEqual(instants.toSorted((a, b) => a - b))
        expect(instants.at(-1)).toBe(days.startOf(day + 1))
      }
    }
  })

  test('an instant is on the local date that Temporal gives', () => {
    const instants = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2040, 0, 1) })
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (timeZone, ms) => {
        const date = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate()
        expect(isoDate(new LocalDays(timeZone).dayOf(ms))).toBe(date.toString())
      }),
      { numRuns: 300 },
    )
  })
})

describe('daily windows', () => {
  const isWithin = (text: string, from: string, to: string) =>
    new LocalDays('Europe/Berlin').isWithin(
      Temporal.ZonedDateTime.from(`${text}[Europe/Berlin]`).epochMilliseconds,
      from,
      to,
    )

  test('include their start and not their end', () => {
    expect(isWithin('2026-06-01T22:00', '22:00', '23:00')).toBe(true)
    expect(isWithin('2026-06-01T23:00', '22:00', '23:00')).toBe(false)
  })

  test('may span midnight', () => {
    expect(isWithin('2026-06-01T02:00', '22:00', '06:00')).toBe(true)
    expect(isWithin('2026-06-01T12:00', '22:00', '06:00')).toBe(false)
  })
})

test('dates are checked, and have the right weekday', () => {
  expect(dayNumber('2026-02-30')).toBeUndefined()
  expect(weekdayOf(dayNumber('2026-11-23') ?? 0)).toBe('mon')
  expect(weekdayOf(dayNumber('1969-12-31') ?? 0)).toBe('wed')
})

test('only IANA names are time zones', () => {
  expect(isTimeZone('America/Los_Angeles')).toBe(true)
  expect(['', 'Mars/Phobos', '+02:00', 'constructor'].filter(isTimeZone)).toEqual([])
})
