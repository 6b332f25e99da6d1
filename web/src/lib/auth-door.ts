import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import { type AuthError, GoTrueClient, type Session } from '@supabase/auth-js'
import { createAccountChanges } from './account-changes.ts'
import { parseRetryAfter } from './api-error.ts'
import type { LinkType } from './auth-client.ts'
import { fetchWithProof } from './browser-check/fetch-with-proof.ts'
import { toSignInError } from './to-sign-in-error.ts'

export type AuthDoor = ReturnType<typeof openAuthDoor>

/**
 * The one door to `/auth/v1`. PKCE is chosen over the implicit flow: no token ever stands in an address, where
 * history, logs and extensions see it. Our mailed links carry a `token_hash` to `/auth/confirm`, which works in any
 * browser with either flow. The client's own constants are those of docs/product/viewer.md §9: a tick of 30 s, refresh three
 * ticks before the end, retries from 200 ms, keys cached for 10 minutes. `onSession` is called with the stored
 * session as soon as it has been read and, if stale, refreshed, and on each change, in whichever tab.
 */
export function openAuthDoor(options: {
  origin: string
  storageKey: string
  onSession: (session: Session | null) => void
}) {
  const { origin, storageKey, onSession } = options
  let retryAfterMs: number | undefined
  const client = new GoTrueClient({
    url: `${origin}/auth/v1`,
    headers: { apikey: PUBLIC_API_KEY },
    storageKey,
    autoRefreshToken: true,
    persistSession: true,
    detectSessionInUrl: true,
    flowType: 'pkce',
    // The client drops the headers of a refusal, and with them how long one has to wait.
    fetch: async (...args) => {
      const response = await fetchWithProof(...args)
      retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), Date.now())
      return response
    },
  })
  const refuse = (error: AuthError | null): void => {
    if (error) throw toSignInError(error, retryAfterMs)
  }
  client.onAuthStateChange((_event, session) => onSession(session))
  /** Ends this session on the server and, whether or not that can be reached, here. */
  const signOut = async (): Promise<void> => {
    const { error } = await client.signOut({ scope: 'local' })
    if (!error) return
    window.localStorage.removeItem(storageKey)
    onSession(null)
  }

  return {
    ...createAccountChanges(client, origin, refuse),
    /** A token good for at least another 90 s, or null when nobody is signed in. */
    accessToken: async (): Promise<string | null> => {
      const { data } = await client.getSession()
      return data.session?.access_token ?? null
    },
    signIn: async (email: string, password: string): Promise<void> => {
      refuse((await client.signInWithPassword({ email, password })).error)
    },
    /** Answers whether the address must be confirmed by mail before the first sign-in. */
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
    /** `page`: where the link leads in the end, as path and query. */
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
    /** Signs in by the six digits of a mail. */
    verifyCode: async (email: string, token: string): Promise<void> => {
      refuse((await client.verifyOtp({ email, token, type: 'email' })).error)
    },
    /**
     * Signs in by the hash that a mailed link carries. False for the first of the two links of a change of
     * address, which begins no session.
     */
    verifyLink: async (tokenHash: string, type: LinkType): Promise<boolean> => {
      const { data, error } = await client.verifyOtp({ token_hash: tokenHash, type })
      refuse(error)
      return data.session !== null
    },
    /** The mail that confirms a new account, once more. */
    resendConfirmation: async (email: string, page = '/'): Promise<void> => {
      const options = { emailRedirectTo: origin + page }
      refuse((await client.resend({ type: 'signup', email, options })).error)
    },
    requestPasswordReset: async (email: string): Promise<void> => {
      refuse((await client.resetPasswordForEmail(email, { redirectTo: `${origin}/auth/reset` })).error)
    },
    /**
     * Asks the server whether our session still exists, and drops it if not. A token that is refused although it has
     * not expired, as after its signing key was revoked, is replaced. Nothing happens when nobody answers: an outage
     * ends no session.
     */
    check: async (): Promise<void> => {
      const { error } = await client.getUser()
      if (error?.code === 'user_not_found') await client.signOut({ scope: 'local' })
      else if (error?.code === 'bad_jwt') await client.refreshSession()
    },
    signOut,
    /** As `signOut`, for a session that the server has ended: here it ends at once, before the server answers. */
    drop: async (): Promise<void> => {
      onSession(null)
      await signOut()
    },
  }
}
