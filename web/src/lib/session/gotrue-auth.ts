import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import { type AuthError, GoTrueClient, type Session } from '@supabase/auth-js'
import { parseRetryAfter } from '../api/api-error.ts'
import { fetchWithProof } from '../browser-check/fetch-with-proof.ts'
import { PAIR_PAGE, paths } from '../paths.ts'
import { createFactorMethods } from './factor-methods.ts'
import { createPasskeyMethods } from './passkeys.ts'
import { createProviderMethods } from './provider-methods.ts'
import { createSignInMethods } from './sign-in-methods.ts'
import { saveBan } from './sign-out-reason.ts'
import { toSignInError } from './to-sign-in-error.ts'
import { needsSecondFactor } from './token-claims.ts'

export type GoTrueAuth = ReturnType<typeof createGoTrueAuth>

/**
 * Wraps `GoTrueClient`, the client library of `/auth/v1`. PKCE instead of the implicit flow keeps tokens out of URLs,
 * where history, logs and extensions could read them. Emailed links carry a `token_hash` to `/auth/confirm`, which
 * works in any browser with either flow. The library's constants are those of the specification: a tick of 30 s,
 * refresh three ticks before expiry, retries from 200 ms, keys cached for 10 minutes. `onSession` is called once the
 * stored session has been read and, if stale, refreshed, and on each change in any tab.
 */
export function createGoTrueAuth(options: {
  origin: string
  storageKey: string
  onSession: (session: Session | null) => void
}) {
  const { origin, storageKey, onSession } = options
  let retryAfterMs: number | undefined
  /** Attempts a refresh with the stored session, without the client: the client discards a session that has ended. */
  const refresh = ({ headers }: RequestInit = {}): Promise<Response> =>
    fetchWithProof(`${origin}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: storedRefreshToken(storageKey) }),
    })
  const client = new GoTrueClient({
    url: `${origin}/auth/v1`,
    headers: { apikey: PUBLIC_API_KEY },
    storageKey,
    autoRefreshToken: true,
    persistSession: true,
    // There `code` is the code of a TV.
    detectSessionInUrl: window.location.pathname !== PAIR_PAGE,
    flowType: 'pkce',
    experimental: { recoveryCodes: true },
    // The library discards the headers of a refusal, so `Retry-After` is read here.
    fetch: async (...args) => {
      const response = await fetchWithProof(...args)
      retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), Date.now())
      if (await isBan(response, () => refresh(args[1]))) saveBan()
      return response
    },
  })
  const refuse = (error: AuthError | null): void => {
    if (error) throw toSignInError(error, retryAfterMs)
  }
  client.onAuthStateChange((_event, session) => onSession(session))

  return {
    ...createSignInMethods(client, origin, refuse),
    ...createAccountChanges(client, origin, refuse),
    ...createPasskeyMethods(client, refuse),
    ...createProviderMethods(client, origin, refuse),
    ...createFactorMethods(client, refuse),
    ...createSessionMethods(client, options, refuse),
  }
}

/**
 * Whether a request was refused because the account is banned from the site. A ban ends all sessions, and only a
 * refresh says so.
 */
async function isBan(response: Response, refresh: () => Promise<Response>): Promise<boolean> {
  const code = await errorCodeOf(response)
  if (code !== 'session_not_found') return code === 'user_banned'
  return (await refresh().then(errorCodeOf, () => undefined)) === 'user_banned'
}

async function errorCodeOf(response: Response): Promise<unknown> {
  if (response.ok) return undefined
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
}

function storedRefreshToken(storageKey: string): unknown {
  const session: unknown = JSON.parse(window.localStorage.getItem(storageKey) ?? 'null')
  return typeof session === 'object' && session !== null && 'refresh_token' in session
    ? session.refresh_token
    : undefined
}

interface SessionOptions {
  storageKey: string
  onSession: (session: Session | null) => void
}

/** The part of the auth client that reads, checks and ends the session of this browser. */
function createSessionMethods(
  client: GoTrueClient,
  { storageKey, onSession }: SessionOptions,
  refuse: (error: AuthError | null) => void,
) {
  /** Ends this session on the server, and in this browser even if the server cannot be reached. */
  const signOut = async (): Promise<void> => {
    const { error } = await client.signOut({ scope: 'local' })
    if (!error) return
    window.localStorage.removeItem(storageKey)
    onSession(null)
  }

  return {
    /** An access token valid for at least another 90 s, or null when signed out. */
    accessToken: async (): Promise<string | null> => tokenOf((await client.getSession()).data.session),
    /**
     * Asks the server whether the session still exists, and discards it if not. A token that is refused before it
     * expires, as after its signing key was revoked, is refreshed; so is one that other services than auth have refused
     * (`isTokenRefused`), as after a second factor was removed. Without a response nothing changes: an outage ends no
     * session.
     */
    check: async (isTokenRefused = false): Promise<void> => {
      const { error } = await client.getUser()
      if (error?.code === 'user_not_found') await client.signOut({ scope: 'local' })
      else if (error?.code === 'bad_jwt' || (error === null && isTokenRefused)) await client.refreshSession()
    },
    /** Stores a session that this device has received in another way than by a method of the library. */
    adoptSession: async (tokens: { access_token: string; refresh_token: string }): Promise<void> => {
      refuse((await client.setSession(tokens)).error)
    },
    signOut,
    /** As `signOut`, for a session that the server has ended: ends it in this browser before the server responds. */
    discardSession: async (): Promise<void> => {
      onSession(null)
      await signOut()
    },
  }
}

/** The token for requests of the app. They wait for it before the state is known, so the second step may be missing. */
function tokenOf(session: Session | null): string | null {
  return session === null || needsSecondFactor(session.access_token) ? null : session.access_token
}

/** The part of the auth client that changes the account of the signed-in user. */
function createAccountChanges(
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
      refuse(
        (await client.updateUser({ email }, { emailRedirectTo: `${origin}${paths.signInSettings()}` })).error,
      )
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
