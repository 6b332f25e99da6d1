import type { ProblemCountry } from '@looptide/contracts/http/playback-problems'
import { dateLocale } from '../../../lib/time/date-locale.ts'

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

/** Meaning of player error codes: YouTube IFrame API `onError`, HTML `MediaError`. */
const PLAYER_ERRORS: Record<string, string> = {
  '2': 'The video ID is invalid',
  '3': 'The file cannot be decoded',
  '4': 'The file was not found or its format is not supported',
  '5': 'The YouTube player cannot play it',
  '100': 'It was removed or made private',
  '101': 'The owner does not allow embedding',
  '150': 'The owner does not allow embedding',
}

/** Readable text for a quarantine reason (`player error <code>`), with the code. */
export function reasonLabel(reason: string): string {
  const code = /^player error (\d+)$/.exec(reason)?.[1]
  const text = code === undefined ? undefined : PLAYER_ERRORS[code]
  return text === undefined ? reason || 'Unknown reason' : `${text} (error ${code}).`
}
