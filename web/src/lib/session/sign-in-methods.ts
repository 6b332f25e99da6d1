import type { AuthError, GoTrueClient } from '@supabase/auth-js'

/** The part of the auth client that signs in, signs up and sends the emails for both. */
export function createSignInMethods(
  client: GoTrueClient,
  origin: string,
  refuse: (error: AuthError | null) => void,
) {
  return {
    signIn: async (email: string, password: string): Promise<void> => {
      refuse((await client.signInWithPassword({ email, password })).error)
    },
    signInAnonymously: async (): Promise<void> => refuse((await client.signInAnonymously()).error),
    /** Returns whether the address must be confirmed by email before the first sign-in. */
    signUp: async (
      fullName: string,
      email: string,
      password: string,
      page = '/',
    ): Promise<{ needsConfirmation: boolean }> => {
      const { data, error } = await client.signUp({
        email,
        password,
        options: { emailRedirectTo: origin + page, data: { full_name: fullName } },
      })
      refuse(error)
      return { needsConfirmation: data.session === null }
    },
    /** `page`: the page that opens after the sign-in, as path and query. */
    sendMagicLink: async (email: string, fullName: string, page = '/'): Promise<void> => {
      const { error } = await client.signInWithOtp({
        email,
        options: {
          shouldCreateUser: true,
          emailRedirectTo: origin + page,
          ...(fullName ? { data: { full_name: fullName } } : {}),
        },
      })
      refuse(error)
    },
    /** Signs in with the six-digit code of an email. */
    verifyCode: async (email: string, token: string): Promise<void> => {
      refuse((await client.verifyOtp({ email, token, type: 'email' })).error)
    },
    /**
     * Signs in with the hash of an emailed link. Returns false for the first of the two links of an address change,
     * which starts no session.
     */
    verifyLink: async (tokenHash: string, type: LinkType): Promise<boolean> => {
      const { data, error } = await client.verifyOtp({ token_hash: tokenHash, type })
      refuse(error)
      return data.session !== null
    },
    /** Sends the email that confirms a new account again. */
    resendConfirmation: async (email: string, page = '/'): Promise<void> => {
      const options = { emailRedirectTo: origin + page }
      refuse((await client.resend({ type: 'signup', email, options })).error)
    },
    requestPasswordReset: async (email: string): Promise<void> => {
      refuse((await client.resetPasswordForEmail(email, { redirectTo: `${origin}/auth/reset` })).error)
    },
  }
}

/** The purposes of an emailed link. */
export const LINK_TYPES = ['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email'] as const
export type LinkType = (typeof LINK_TYPES)[number]
