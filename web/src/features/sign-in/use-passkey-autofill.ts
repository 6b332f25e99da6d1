import { useEffect, useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { hasKnownPasskey } from '../../lib/session/known-passkey.ts'
import { isPasskeySupported } from '../../lib/session/passkey-support.ts'
import { SignInError } from '../../lib/session/sign-in-error.ts'
import { toastFailure } from '../../lib/session/use-account-form.ts'
import { welcomeBack } from './welcome.ts'

/** Refusals of a passkey that the user has chosen. Others come before a choice and are not shown. */
const SHOWN = new Set(['webauthn_verification_failed', 'webauthn_challenge_expired', 'user_banned'])

/**
 * Offers passkeys among the browser's suggestions for the email field (WebAuthn's conditional mediation), in browsers
 * that used one here before: the sign-in page is the first page of all visitors, and each offer is a request. Returns
 * the `autocomplete` of the email field.
 */
export function usePasskeyAutofill(): string {
  const [isOffered] = useState(() => isPasskeySupported() && hasKnownPasskey())
  useEffect(() => {
    if (isOffered) void offerPasskeys()
  }, [isOffered])
  return isOffered ? 'username webauthn' : 'username'
}

/** Waits for a choice. It ends when the user presses the button for passkeys instead. */
async function offerPasskeys(): Promise<void> {
  try {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return
    await authClient.signInWithPasskey('conditional')
    welcomeBack()
  } catch (failure) {
    if (!(failure instanceof SignInError) || !SHOWN.has(failure.code)) return
    toastFailure('Sign In Failed', failure)
    // A challenge is older than its five minutes when the page was open for long.
    if (failure.code === 'webauthn_challenge_expired') await offerPasskeys()
  }
}
