import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { countryOf } from './country-of.ts'

it.each([
  ['Europe/Berlin', 'DE'],
  ['Europe/Vienna', 'AT'],
  ['Europe/Zurich', 'CH'],
  ['Europe/Copenhagen', 'DK'],
  ['Asia/Calcutta', 'IN'],
  ['US/Pacific', 'US'],
  ['Etc/UTC', null],
  ['Mars/Olympus', null],
  ['__proto__', null],
  ['constructor', null],
  ['', null],
  [undefined, null],
])('the country of %j is %j', (timeZone, country) => {
  expect(countryOf(timeZone)).toBe(country)
})

test('every zone of the platform has a country of two letters or none, and any other text has none', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const countries = zones.map(countryOf)
  expect(countries.filter((country) => country !== null).length).toBeGreaterThan(350)
  for (const country of countries) expect(country ?? 'XX').toMatch(/^[A-Z]{2}$/)
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^(?:[A-Z]\w*(?:\/|$))/.test(text))
      expect(countryOf(text)).toBeNull()
    }),
  )
})
