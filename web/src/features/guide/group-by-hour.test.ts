import fc from 'fast-check'
import { expect, it } from 'vitest'
import { groupByHour, namesOf } from './group-by-hour.ts'

const HOUR_MS = 3_600_000
const noonMs = new Date(2026, 10, 20, 12, 0, 0).getTime()

it('puts every programme that is not over under exactly one hour, in order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 60_000, max: 2 * HOUR_MS }), { maxLength: 40 }),
      fc.integer({ min: 0, max: 4 * HOUR_MS }),
      (lengths, sinceMs) => {
        let startsAtMs = noonMs
        const programmes = lengths.map((lengthMs) => {
          const programme = { startsAtMs, endsAtMs: startsAtMs + lengthMs }
          startsAtMs += lengthMs
          return programme
        })
        const nowMs = noonMs + sinceMs
        const hours = groupByHour(programmes, nowMs)
        expect(hours.flatMap((hour) => hour.programmes)).toEqual(
          programmes.filter(({ endsAtMs }) => endsAtMs > nowMs),
        )
        const starts = hours.map((hour) => hour.startsAtMs)
        expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => a - b))
      },
    ),
  )
})

it('shows what began before this hour under this hour', () => {
  const long = { startsAtMs: noonMs - 10 * 60_000, endsAtMs: noonMs + 10 * 60_000 }
  expect(groupByHour([long], noonMs + 60_000)).toEqual([{ startsAtMs: noonMs, programmes: [long] }])
})

it('names an hour by its first artists, each once', () => {
  expect(namesOf(['Adele', 'Queen', 'Adele'])).toBe('Adele, Queen')
  expect(namesOf(['Adele', 'Queen', 'Adele', 'PSY', 'a-ha', 'Toto'])).toBe('Adele, Queen, PSY and 2 more')
})
