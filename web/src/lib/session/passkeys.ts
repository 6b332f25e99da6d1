import type { Passkey } from '@looptide/contracts/http/passkeys'
import type { AuthError, GoTrueClient } from '@supabase/auth-js'
import { ceremonyProblem, PASSKEY_TEXTS } from './ceremony-problem.ts'
import { rememberPasskey } from './passkey-support.ts'

type Refuse = (error: AuthError | null) => void

/** The part of the auth client for passkeys. Each ceremony is a dialog of the browser. */
export function createPasskeyMethods(client: GoTrueClient, refuse: Refuse) {
  const refuseCeremony = (error: AuthError | Error | null): void => {
    const problem = error && ceremonyProblem(error, PASSKEY_TEXTS)
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
