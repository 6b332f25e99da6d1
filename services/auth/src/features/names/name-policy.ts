import { cleanLine } from '@looptide/contracts/text'
import { errors } from '@looptide/service-kit/http/errors'
import { LETTER_SIGNS, lookAlikeKey, plainLetters } from '@looptide/service-kit/text/look-alike'
import { DEFAULT_STEM, handleStem } from './handle-stem.ts'
import { isOneScript } from './scripts.ts'

/** Maximum length of a stored name, in characters. */
const MAX_LENGTH = 100

/** Words that only admins may have in their name. */
const ROLES = ['admin', 'admins', 'administrator', 'administrators', 'moderator', 'moderators', 'staff']
/** Words that are allowed with others ("Sound System") but not alone or together ("Official Support"). */
const TITLES = [
  'mod',
  'mods',
  'official',
  'support',
  'system',
  'team',
  'security',
  'helpdesk',
  'operator',
  'root',
  'owner',
]
/** Words that do not change the meaning of a title. */
const FILLERS = ['the', 'site', 'chat', 'tv', 'real', 'help', 'bot', 'account']
/** Minimum length of a word that other words do not contain by chance, in characters. */
const DISTINCT_LENGTH = 6

/** Which names are reserved for the station and its staff. Applies to handles and display names. */
export class NamePolicy {
  readonly #strong: ReadonlySet<string>
  readonly #titles: readonly string[]
  readonly #fillers: readonly string[] = FILLERS.map(compactKey)
  readonly #distinct: readonly string[]
  /** Length of the longest strong word. */
  readonly #longest: number

  /** `brandNames`: the names of the station. */
  constructor(brandNames: readonly string[]) {
    const brands = brandNames.map(compactKey).filter((name) => name !== '')
    const roles = ROLES.map(compactKey)
    this.#strong = new Set([...roles, ...brands])
    this.#longest = Math.max(...[...this.#strong].map((word) => word.length))
    this.#titles = [...this.#strong, ...TITLES.map(compactKey)]
    this.#distinct = [...brands, compactKey('moderator'), compactKey('administrator')].filter(
      (word) => word.length >= DISTINCT_LENGTH,
    )
  }

  /**
   * Whether this name can be mistaken for the station's or for that of a role. A role or the station is found as a word of
   * its own, and as whole parts of a word that change of case, digits and signs separate: `ADMINPaul`, `xADMINx` and
   * `Admin2Paul` are reserved, `Badminton` and `Madmint` are not. Long words (moderator, administrator, the station's name)
   * are found anywhere.
   */
  isReserved(name: string): boolean {
    const plain = plainLetters(name)
    const whole = variantsOf(plain)
    if (whole.some((key) => this.#isOnlyTitles(key))) return true
    if (whole.some((key) => this.#distinct.some((word) => key.includes(word)))) return true
    return wordParts(plain).some((parts) => this.#hasStrongRun(parts.map(compactKey)))
  }

  /** Whether some of these keys in a row make a strong word. */
  #hasStrongRun(keys: readonly string[]): boolean {
    return keys.some((_key, start) => {
      let joined = ''
      // A further part shortens the joined key by one at most: its first letter may merge with the last one.
      for (let end = start; end < keys.length && joined.length <= this.#longest + 1; end += 1) {
        joined = joinKeys(joined, keys[end] ?? '')
        if (this.#strong.has(joined)) return true
      }
      return false
    })
  }

  /**
   * Whether `key` consists of titles and fillers only, with at least one title. Visits each position once: a regular
   * expression could take exponential time where one word is made of others.
   */
  #isOnlyTitles(key: string): boolean {
    const withFillers = new Set([0])
    const withTitle = new Set<number>()
    for (let at = 0; at < key.length; at += 1) {
      if (!withFillers.has(at) && !withTitle.has(at)) continue
      for (const title of this.#titles) if (key.startsWith(title, at)) withTitle.add(at + title.length)
      const after = withTitle.has(at) ? withTitle : withFillers
      for (const filler of this.#fillers) if (key.startsWith(filler, at)) after.add(at + filler.length)
    }
    return withTitle.has(key.length)
  }

  /** The first part of a new user's handle: from the given name, unless that is reserved. */
  stemFor(fullName: unknown): string {
    const stem = handleStem(fullName)
    return this.isReserved(stem) ? DEFAULT_STEM : stem
  }
}

/**
 * Normalises a display name for storage: a line (packages/contracts/src/text.ts) with compatibility characters replaced
 * (NFKC) and single spaces. Null when nothing visible remains. Errors: `validation_failed` for letters of several scripts,
 * and names that are too long.
 */
export function cleanName(text: string): string | null {
  const name = cleanLine(cleanLine(text.toWellFormed().normalize('NFKC')).replace(/\s+/gu, ' '))
  if (name === '') return null
  if (name.length > MAX_LENGTH) throw nameError(`A name can have at most ${MAX_LENGTH} characters.`)
  if (!isOneScript(name)) throw nameError('A name cannot mix letters of different alphabets.')
  return name
}

/** The error for an invalid display name. `message` is shown to the user. */
export const nameError = (message: string): Error =>
  errors.validation(message, [{ path: '/artistName', message }])

/** A name as a single word of look-alike letters and digits. */
export const compactKey = (name: string): string => lookAlikeKey(name).replace(/[^\p{L}\p{N}]/gu, '')

/** The key of a name, and that without digits at its ends: in `admin1234` a digit could also replace a letter. */
function variantsOf(plain: string): string[] {
  const word = plain.replace(/[^\p{L}\p{N}]/gu, '')
  return [compactKey(plain), compactKey(word.replace(/^\d+|\d+$/g, ''))]
}

/** Letters, digits, and signs that look like them. */
const WORD = new RegExp(`(?:[\\p{L}\\p{N}]|${LETTER_SIGNS})+`, 'gu')

/** Where a word may be made of two: each alternative is an empty match. */
const BOUNDARY = new RegExp(
  [
    // chat|Admin
    String.raw`(?<=\p{Ll})(?=\p{Lu})`,
    // ADMIN|Paul. A single capital begins its word: Madmint has no boundary.
    String.raw`(?<=\p{Lu})(?=\p{Lu}\p{Ll})`,
    // ADMIN|x
    String.raw`(?<=\p{Lu}\p{Lu})(?=\p{Ll})`,
    // Letters and digits, signs, or letters without case: Admin|42, x|@dmin, 管理|admin
    ...[String.raw`\p{N}`, LETTER_SIGNS, String.raw`[\p{Lo}\p{Lm}]`].flatMap((kind) => [
      `(?<=${kind})(?!${kind}|$)`,
      `(?<!${kind}|^)(?=${kind})`,
    ]),
  ].join('|'),
  'u',
)

/**
 * The words of a name, each as the parts that it may be made of: they end where the case changes, and between letters,
 * digits and signs. The parts of a word in one case are not known: `adminpaul` is one part. `plain` has no accents.
 */
const wordParts = (plain: string): string[][] => (plain.match(WORD) ?? []).map((word) => word.split(BOUNDARY))

/** The look-alike key of two parts together: `r` and `n`, or two `v`, look like one letter across the boundary, too. */
const joinKeys = (first: string, second: string): string =>
  `${first}${second}`.replaceAll('rn', 'm').replaceAll('vv', 'w')
