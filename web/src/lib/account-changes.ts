import type { AuthError, GoTrueClient } from '@supabase/auth-js'

/** What somebody who is signed in does with their account; a part of the auth client. */
export function createAccountChanges(
  client: GoTrueClient,
  origin: string,
  refuse: (error: AuthError | null) => void,
) {
  return {
    /** Ends all other sessions. `current` is the password in force; a sign-in by mail goes without. */
    changePassword: async (password: string, current?: string): Promise<void> => {
      const proof = current === undefined ? {} : { current_password: current }
      refuse((await client.updateUser({ password, ...proof })).error)
    },
    /** Asks both addresses to agree to the change. */
    changeEmail: async (email: string): Promise<void> => {
      refuse((await client.updateUser({ email }, { emailRedirectTo: `${origin}/members` })).error)
    },
    /** Asks again whoever has not agreed yet; `email` is the present address. */
    resendEmailChange: async (email: string): Promise<void> => {
      refuse((await client.resend({ type: 'email_change', email })).error)
    },
    signOutOthers: async (): Promise<void> => {
      refuse((await client.signOut({ scope: 'others' })).error)
    },
  }
}
