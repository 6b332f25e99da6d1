import { dictionary } from '@zxcvbn-ts/language-common'

/** The station's own names. A password of one of them with any digits and signs is easy to guess. */
const STATION_NAMES = ['looptide', 'looptidetv', 'looptideadmin']

/** Tens of thousands of leaked passwords in lower case (zxcvbn's list). */
const LEAKED: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/** Whether a password is among those that attackers try first. Case is ignored. */
export function isCommon(password: string): boolean {
  const lower = password.toLowerCase()
  return LEAKED.has(lower) || STATION_NAMES.includes(lower.replace(/[^\p{L}]/gu, ''))
}
