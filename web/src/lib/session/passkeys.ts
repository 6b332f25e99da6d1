import type { Passkey } from '@looptide/contracts/http/passkeys'
import type { AuthError, GoTrueClient } from '@supabase/auth-js'
import { rememberPasskey } from './known-passkey.ts'
import { SignInError } from './sign-in-error.ts'

type Refuse = (error: AuthError | null) => void

/** The part of the auth client for passkeys. Each ceremony is a dialog of the browser. */
export function createPasskeyMethods(client: GoTrueClient, refuse: Refuse) {
  const refuseCeremony = (error: AuthError | Error | null): void => {
    const problem = error && problemOfCeremony(error)
    if (problem) throw problem
    refuse(error as AuthError | null)
  }
  return {
    /**
     * Signs in with a passkey that the user chooses in the browser's dialog or, with `conditional`, among its
     * suggestions for a field. A later call ends an earlier one that still waits.
     */
    signInWithPasskey: async (mediation?: 'conditional'): Promise<void> => {
      const options = mediation ? { mediation } : {}
      refuseCeremony((await client.signInWithPasskey({ options })).error)
      rememberPasskey()
    },
    /** Creates a passkey on this device, or another one that the browser offers, and names it. */
    addPasskey: async (friendlyName: string): Promise<void> => {
      const { data, error } = await client.registerPasskey()
      refuseCeremony(error)
      rememberPasskey()
      if (data) refuse((await client.passkey.update({ passkeyId: data.id, friendlyName })).error)
    },
    /** Oldest first. */
    listPasskeys: async (): Promise<Passkey[]> => {
      const { data, error } = await client.passkey.list()
      refuse(error)
      return (data ?? []) as Passkey[]
    },
    renamePasskey: async (passkeyId: string, friendlyName: string): Promise<void> => {
      refuse((await client.passkey.update({ passkeyId, friendlyName })).error)
    },
    removePasskey: async (passkeyId: string): Promise<void> => {
      refuse((await client.passkey.delete({ passkeyId })).error)
    },
  }
}

/** Texts for refusals of the browser, by the auth library's codes. */
const PROBLEMS: Record<string, string> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device already has a passkey of your account.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'This security key cannot store passkeys.',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    'This device cannot check that it is you. Set up a screen lock or a PIN, or use another device.',
}

/** The error of a browser that refused, or whose user cancelled; undefined for an answer of the server. */
function problemOfCeremony(error: AuthError | Error): SignInError | undefined {
  if (!('__isWebAuthnError' in error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  // Browsers do not say whether the user cancelled, took too long or has no passkey here.
  const otherwise =
    error.name === 'NotAllowedError'
      ? 'The request was cancelled, took too long, or there is no passkey here. Please try again.'
      : 'Your browser could not use a passkey here.'
  return new SignInError('passkey_not_used', PROBLEMS[code] ?? otherwise, error)
}
