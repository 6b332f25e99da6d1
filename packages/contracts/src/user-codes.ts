import { withoutFormat } from './typed-text.ts'

/** Letters of a user code (RFC 8628): no vowels, so that no words result (§6.1). */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
export const USER_CODE_LENGTH = 8

/**
 * The letters of a user code as people type or paste it: without regard to case, spaces, hyphens (RFC 8628 §6.1) and
 * invisible characters. Null if it can be no code.
 */
export function readUserCode(typed: string): string | null {
  const code = withoutFormat(typed)
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
  const isCode =
    code.length === USER_CODE_LENGTH && [...code].every((letter) => USER_CODE_LETTERS.includes(letter))
  return isCode ? code : null
}

/** A user code as it is shown: two groups of four letters. */
export const showUserCode = (code: string): string =>
  `${code.slice(0, USER_CODE_LENGTH / 2)}-${code.slice(USER_CODE_LENGTH / 2)}`
