import type { AuthError, GoTrueClient } from '@supabase/auth-js'

/** The part of the auth client that changes the account of the signed-in user. */
export function createAccountChanges(
  client: GoTrueClient,
  origin: string,
  refuse: (error: AuthError | null) => void,
) {
  return {
    /** Ends all other sessions. `current` is the current password; not needed after a sign-in by email. */
    changePassword: async (password: string, current?: string): Promise<void> => {
      // The server keeps the token that changes the password and refuses older ones, of which there may be copies.
      refuse((await client.refreshSession()).error)
      const proof = current === undefined ? {} : { current_password: current }
      refuse((await client.updateUser({ password, ...proof })).error)
    },
    /** Sends a confirmation link to the old and the new address. */
    changeEmail: async (email: string): Promise<void> => {
      refuse((await client.updateUser({ email }, { emailRedirectTo: `${origin}/members` })).error)
    },
    /** Sends the link again to each address that has not confirmed; `email` is the current address. */
    resendEmailChange: async (email: string): Promise<void> => {
      refuse((await client.resend({ type: 'email_change', email })).error)
    },
    signOutOthers: async (): Promise<void> => {
      refuse((await client.signOut({ scope: 'others' })).error)
    },
  }
}
