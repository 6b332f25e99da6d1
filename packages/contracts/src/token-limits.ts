/** Personal access tokens of a user, also expired ones that are still listed. */
export const PERSONAL_TOKENS_PER_USER = 20
/** Lifetimes that are offered, in days. There is no token without an end. */
export const TOKEN_LIFETIMES = [7, 30, 90, 365] as const
/** Characters of a name. */
export const TOKEN_NAME_MAX = 60
