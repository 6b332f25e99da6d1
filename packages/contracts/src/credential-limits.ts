/** Maximum length of a passkey's name, in characters. */
export const PASSKEY_NAME_MAX = 120
/** Maximum number of passkeys per account. */
export const PASSKEYS_PER_USER = 10

/** Maximum personal access tokens of a user, including expired ones that are still listed. */
export const PERSONAL_TOKENS_PER_USER = 20
/** Lifetimes that users can choose, in days. Every token expires. */
export const TOKEN_LIFETIMES = [7, 30, 90, 365] as const
/** Maximum length of a token's name, in characters. */
export const TOKEN_NAME_MAX = 60
