import { dictionary } from '@zxcvbn-ts/language-common'

/** What the station calls itself: nobody's secret, whatever stands around it. */
const HOUSE_WORDS = ['looptide', 'looptidetv', 'looptideadmin']

/** Leaked passwords by the tens of thousands, in lower case (zxcvbn's list). */
const LEAKED: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/** Whether a password is among the first that anybody would try, however it is capitalised. */
export function isCommon(password: string): boolean {
  const lower = password.toLowerCase()
  return LEAKED.has(lower) || HOUSE_WORDS.includes(lower.replace(/[^\p{L}]/gu, ''))
}
