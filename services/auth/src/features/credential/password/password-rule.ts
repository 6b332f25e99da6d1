import { opaqueString } from '@looptide/contracts/text'
import { AccountError, type Weakness } from '../../../account-error.ts'
import type { BreachedPasswords } from './breached-passwords.ts'

/** The station's own names. A password of one of them with any digits and signs is easy to guess. */
const STATION_NAMES = ['looptide', 'looptidetv', 'looptideadmin']

let leaked: ReadonlySet<string> | undefined

/** Tens of thousands of leaked passwords in lower case (zxcvbn's list), loaded with the first new password. */
async function leakedPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  leaked ??= new Set(dictionary['passwords-common'])
  return leaked
}

/** Whether a password is among those that attackers try first. Case is ignored. */
async function isCommon(password: string): Promise<boolean> {
  const lower = password.toLowerCase()
  return (await leakedPasswords()).has(lower) || STATION_NAMES.includes(lower.replace(/[^\p{L}]/gu, ''))
}

const MIN_LENGTH = 8
const MAX_LENGTH = 128

/** The weaknesses of a password; empty for a strong one. Length is counted in characters, not bytes. */
export async function weaknessesOf(password: string): Promise<Weakness[]> {
  const length = [...password].length
  if (length < MIN_LENGTH || length > MAX_LENGTH) return ['length']
  return (await isCommon(password)) ? ['pwned'] : []
}

/** Throws `weak_password` with the weaknesses of a password that is weak or breached, in the form that is hashed. */
export async function requireStrong(
  given: string,
  breached: Pick<BreachedPasswords, 'include'>,
): Promise<void> {
  const password = opaqueString(given)
  const weaknesses = await weaknessesOf(password)
  if (weaknesses.length === 0 && (await breached.include(password))) weaknesses.push('pwned')
  if (weaknesses.length === 0) return
  const message = weaknesses.includes('length')
    ? `Password should be ${MIN_LENGTH} to ${MAX_LENGTH} characters long.`
    : 'Password is known to be weak and easy to guess, please choose a different one.'
  throw new AccountError('weak_password', message, { weaknesses })
}
