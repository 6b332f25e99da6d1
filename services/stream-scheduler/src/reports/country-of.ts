import { getCountryForTimezone } from 'countries-and-timezones'

/**
 * The country (ISO 3166-1 alpha-2) of an IANA time zone: for a zone of several countries, the one it is named after. Null
 * for an unknown zone and for one without a country, such as UTC. No database of IP addresses is needed, and nothing
 * but the country is stored.
 */
export function countryOf(timeZone: string | undefined): string | null {
  return timeZone === undefined ? null : (getCountryForTimezone(timeZone)?.id ?? null)
}
