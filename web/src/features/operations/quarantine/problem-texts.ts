import type { ProblemCountry } from '@looptide/contracts/http/problem-countries'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { reasonLabel } from './reason-label.ts'

/** "Germany (12 viewers), Austria (3)": in which countries a video does not play, and for how many viewers. */
export function countriesText(countries: readonly Pick<ProblemCountry, 'country' | 'viewers'>[]): string {
  const names = new Intl.DisplayNames(dateLocale, { type: 'region' })
  return countries
    .map(({ country, viewers }, index) => {
      const name = country === null ? 'unknown country' : (names.of(country) ?? country)
      const unit = index > 0 ? '' : viewers === 1 ? ' viewer' : ' viewers'
      return `${name} (${viewers}${unit})`
    })
    .join(', ')
}

/** The kinds of errors of all countries, once each. */
export function errorsText(countries: readonly Pick<ProblemCountry, 'errorCodes'>[]): string {
  const codes = new Set(countries.flatMap(({ errorCodes }) => errorCodes))
  return [...codes].map((code) => reasonLabel(`player error ${code}`)).join(' ')
}
