import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import { type AuthError, GoTrueClient, isAuthError, type Session } from '@supabase/auth-js'

export type { Session }

/** `unknown` until the stored session has been read and, if stale, refreshed. */
export type AuthState =
  | { status: 'unknown' }
  | { status: 'signed-out' }
  | { status: 'signed-in'; session: Session }

/** What a mailed link may stand for. */
export const LINK_TYPES = ['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email'] as const
export type LinkType = (typeof LINK_TYPES)[number]

/** A refusal by the auth service. `code` is the wire contract's; `message` is fit to be shown. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  readonly code: string
  constructor(code: string, message: string, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

const STORAGE_KEY = 'looptide-session'

export type AuthClient = ReturnType<typeof createAuthClient>

/**
 * The one door to `/auth/v1`. PKCE is chosen over the implicit flow: no token ever stands in an address, where
 * history, logs and extensions see it. Our mailed links carry a `token_hash` to `/auth/confirm`, which works in any
 * browser with either flow. The client's own constants are the specification's: a tick of 30 s, refresh three
 * ticks before the end, retries from 200 ms, keys cached for 10 minutes.
 */
export function createAuthClient(origin: string) {
  const client = new GoTrueClient({
    url: `${origin}/auth/v1`,
    headers: { apikey: PUBLIC_API_KEY },
    storageKey: STORAGE_KEY,
    autoRefreshToken: true,
    persistSession: true,
    detectSessionInUrl: true,
    flowType: 'pkce',
  })
  let state: AuthState = { status: 'unknown' }
  const listeners = new Set<() => void>()
  const set = (next: AuthState) => {
    state = next
    for (const listener of [...listeners]) listener()
  }
  client.onAuthStateChange((_event, session) =>
    set(session ? { status: 'signed-in', session } : { status: 'signed-out' }),
  )

  return {
    state: (): AuthState => state,
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
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
    ): Promise<{ needsConfirmation: boolean }> => {
      const { data, error } = await client.signUp({
        email,
        password,
        options: { emailRedirectTo: origin, data: { full_name: fullName } },
      })
      refuse(error)
      return { needsConfirmation: data.session === null }
    },
    sendMagicLink: async (email: string, fullName: string): Promise<void> => {
      const { error } = await client.signInWithOtp({
        email,
        options: {
          shouldCreateUser: true,
          emailRedirectTo: origin,
          ...(fullName ? { data: { full_name: fullName } } : {}),
        },
      })
      refuse(error)
    },
    /** Signs in by the six digits of a mail. */
    verifyCode: async (email: string, token: string): Promise<void> => {
      refuse((await client.verifyOtp({ email, token, type: 'email' })).error)
    },
    /** Signs in by the hash that a mailed link carries. */
    verifyLink: async (tokenHash: string, type: LinkType): Promise<void> => {
      refuse((await client.verifyOtp({ token_hash: tokenHash, type })).error)
    },
    requestPasswordReset: async (email: string): Promise<void> => {
      refuse((await client.resetPasswordForEmail(email, { redirectTo: `${origin}/auth/reset` })).error)
    },
    changePassword: async (password: string): Promise<void> => {
      refuse((await client.updateUser({ password })).error)
    },
    /** Ends this session on the server and, whether or not that can be reached, here. */
    signOut: async (): Promise<void> => {
      const { error } = await client.signOut({ scope: 'local' })
      if (!error) return
      window.localStorage.removeItem(STORAGE_KEY)
      set({ status: 'signed-out' })
    },
  }
}

function refuse(error: AuthError | null): void {
  if (error) throw toSignInError(error)
}

/** What the auth client threw or answered, in our terms. */
export function toSignInError(error: unknown): unknown {
  if (!isAuthError(error)) return error
  const code = error.code ?? (error.name === 'AuthRetryableFetchError' ? 'service_unavailable' : 'unexpected')
  const message = code === 'service_unavailable' ? 'The station is not answering right now.' : error.message
  return new SignInError(code, message, error)
}

/** The session a token belongs to (its `session_id` claim); undefined when the token is not one of ours. */
export function sessionIdOf(accessToken: string): string | undefined {
  const payload = accessToken.split('.')[1]
  if (!payload) return undefined
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    const id = (claims as Record<string, unknown> | null)?.session_id
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}
