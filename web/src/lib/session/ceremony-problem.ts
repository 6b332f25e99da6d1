import { SignInError } from './sign-in-error.ts'

/** Texts for what a browser refuses, by the auth library's codes. */
interface CeremonyTexts {
  byCode: Readonly<Record<string, string>>
  /** Browsers do not say whether the user cancelled, took too long or has no credential here. */
  notAllowed: string
  otherwise: string
}

export const PASSKEY_TEXTS: CeremonyTexts = {
  byCode: {
    ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device already has a passkey of your account.',
    ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'This security key cannot store passkeys.',
    ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
      'This device cannot verify your identity. Set up a screen lock or a PIN, or use another device.',
  },
  notAllowed: 'The request was cancelled, took too long, or no passkey was found. Please try again.',
  otherwise: 'Your browser could not use a passkey.',
}

export const SECURITY_KEY_TEXTS: CeremonyTexts = {
  byCode: {
    ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED:
      'This key is already a security key or passkey of your account.',
  },
  notAllowed:
    'The request was cancelled, took too long, or the key is not the expected one. Please try again.',
  otherwise: 'Your browser could not use a security key.',
}

/** The error of a browser that refused, or whose user cancelled; undefined for an answer of the server. */
export function ceremonyProblem(error: Error, texts: CeremonyTexts): SignInError | undefined {
  if (!('__isWebAuthnError' in error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  const otherwise = error.name === 'NotAllowedError' ? texts.notAllowed : texts.otherwise
  return new SignInError('credential_not_used', texts.byCode[code] ?? otherwise, error)
}
