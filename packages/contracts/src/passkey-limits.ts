/** Maximum length of a passkey's name, in characters. */
export const PASSKEY_NAME_MAX = 120
/** Maximum number of passkeys per account. */
export const PASSKEYS_PER_USER = 10
