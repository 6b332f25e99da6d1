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
export async function isCommon(password: string): Promise<boolean> {
  const lower = password.toLowerCase()
  return (await leakedPasswords()).has(lower) || STATION_NAMES.includes(lower.replace(/[^\p{L}]/gu, ''))
}
