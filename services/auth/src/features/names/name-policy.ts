import { errors } from '@looptide/service-kit/errors'
import { DEFAULT_STEM, handleStem } from '../people/new-profile.ts'
import { lookAlikeKey } from './look-alike.ts'
import { isOneScript } from './scripts.ts'

/** Characters of a stored name. */
const MAX_LENGTH = 100
// As chat text is cleaned (services/chat, clean-text.ts), and without line breaks and invisible characters besides.
const REMOVED = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const INKLESS = /[\s\p{Z}\u2800]/gu
/** More marks on one letter than any language has (UTS #39 §5.4). */
const STACKED_MARKS = /\p{M}{5,}/u

/** Words that nobody but an admin has in their name. */
const ROLES = ['admin', 'admins', 'administrator', 'administrators', 'moderator', 'moderators', 'staff']
/** Words that are fine beside others ("Sound System") and mislead alone or with each other ("Official Support"). */
const OFFICES = [
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
/** Words that change nothing. */
const FILLERS = ['the', 'site', 'chat', 'tv', 'real', 'help', 'bot', 'account']
/** So long that no other word contains them by chance. */
const DISTINCT_LENGTH = 6

/** What people may be called: one rule for handles and display names. */
export class NamePolicy {
  readonly #strong: ReadonlySet<string>
  readonly #misleading: RegExp
  readonly #distinct: readonly string[]

  /** `brandNames`: what the station is called. */
  constructor(brandNames: readonly string[]) {
    const brands = brandNames.map(squeeze).filter((name) => name !== '')
    const roles = ROLES.map(squeeze)
    this.#strong = new Set([...roles, ...brands])
    const titles = [...this.#strong, ...OFFICES.map(squeeze)]
    const fillers = FILLERS.map(squeeze)
    const anyOf = (words: readonly string[]): string => words.map(escapePattern).join('|')
    this.#misleading = new RegExp(
      `^(?:${anyOf(fillers)})*(?:${anyOf(titles)})(?:${anyOf([...titles, ...fillers])})*$`,
      'u',
    )
    this.#distinct = [...brands, squeeze('moderator'), squeeze('administrator')].filter(
      (word) => word.length >= DISTINCT_LENGTH,
    )
  }

  /** Could this name be taken for the station's, or for that of a role? */
  isReserved(name: string): boolean {
    const whole = variantsOf(squeeze(name), name.replace(/[^\p{L}\p{M}\p{N}]/gu, ''))
    if (whole.some((key) => this.#misleading.test(key))) return true
    if (whole.some((key) => this.#distinct.some((word) => key.includes(word)))) return true
    return wordsOf(name).some((word) => variantsOf(squeeze(word), word).some((key) => this.#strong.has(key)))
  }

  /** The first part of a new person's handle: from the name they gave, unless that is reserved. */
  stemFor(fullName: unknown): string {
    const stem = handleStem(fullName)
    return this.isReserved(stem) ? DEFAULT_STEM : stem
  }
}

/**
 * A display name as it is stored: compatibility characters replaced (NFKC), without control, direction and invisible
 * characters, with single spaces. Null when nothing is left to see. Errors: `validation_failed` for letters of several
 * scripts, stacked marks, and names that are too long.
 */
export function cleanName(text: string): string | null {
  const name = text
    .toWellFormed()
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .replace(REMOVED, '')
    .replace(/ +/g, ' ')
    .trim()
  if (name.replace(INKLESS, '') === '') return null
  if (name.length > MAX_LENGTH) throw nameFault(`A name may have at most ${MAX_LENGTH} characters.`)
  if (!isOneScript(name)) throw nameFault('A name may not mix letters of different alphabets.')
  if (STACKED_MARKS.test(name.normalize('NFD')))
    throw nameFault('This name has too many marks on one letter.')
  return name
}

/** The refusal of a display name; `message` is shown to its owner. */
export const nameFault = (message: string): Error =>
  errors.validation(message, [{ path: '/artistName', message }])

/** A name as one word of look-alike letters and digits. */
export const squeeze = (name: string): string => lookAlikeKey(name).replace(/[^\p{L}\p{N}]/gu, '')

/** `key`, and the key of the word without digits around it: `admin1234`, where a digit could also be a letter. */
function variantsOf(key: string, word: string): string[] {
  return [key, squeeze(word.replace(/^\d+|\d+$/g, ''))]
}

/** Words, divided by signs and, as in `chatAdmin`, by a capital after a small letter. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKC')
    .replace(REMOVED, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[^\p{L}\p{M}\p{N}@$|!]+/u)
    .filter((word) => word !== '')

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
