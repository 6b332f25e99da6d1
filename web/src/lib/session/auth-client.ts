import type { Session } from '@supabase/auth-js'
import type { GoTrueAuth } from './gotrue-auth.ts'
import { PROOF_OF_CODE, type ProofKind } from './proof-prompt.ts'
import { SignInError } from './sign-in-error.ts'
import { needsSecondFactor } from './token-claims.ts'

export type { Session }

/** `unknown` until the stored session has been read and, if stale, refreshed. */
export type AuthState =
  | { status: 'unknown' }
  | { status: 'signed-out' }
  /** The first of two steps of the sign-in is done. For the rest of the app the user is signed out. */
  | { status: 'second-factor'; session: Session }
  | { status: 'signed-in'; session: Session }

export interface AuthClientOptions {
  /** Loads the auth library, a fifth of the app's size. `onSession` is called on every session change. */
  load: (onSession: (session: Session | null) => void) => Promise<GoTrueAuth>
  /** Whether this browser may have a session. If not, the state is `signed-out` at once. */
  mayBeSignedIn: () => boolean
  /** The stored session, if its token needs no refresh: it counts until the library is loaded. */
  storedSession: () => Session | undefined
  /** Calls back once the page is idle. */
  whenIdle: (callback: () => void) => void
  /** Asks for a proof of identity. Resolves to whether the user has proved it. */
  confirm: (kind: ProofKind) => Promise<boolean>
}

/** Delay before the library is requested again after a failure, in ms. */
const LOAD_RETRY_MS = 3_000

/**
 * The session, and all methods that change it; `createGoTrueAuth` documents each method. The auth library is loaded
 * lazily: without a stored session, or with one whose token is valid, it is fetched after the first view, to refresh the
 * token and to notice changes in another tab.
 */
export function createAuthClient(options: AuthClientOptions) {
  const { load, mayBeSignedIn, storedSession, whenIdle, confirm } = options
  /** The session of the first view, until the library has read its own. */
  let stored = mayBeSignedIn() ? storedSession() : undefined
  let state: AuthState = stored || !mayBeSignedIn() ? stateOf(stored ?? null) : { status: 'unknown' }
  const listeners = new Set<() => void>()
  const onSession = (session: Session | null) => {
    stored = undefined
    state = stateOf(session)
    for (const listener of [...listeners]) listener()
  }
  let loading: Promise<GoTrueAuth> | undefined
  const library = (): Promise<GoTrueAuth> => {
    loading ??= load(onSession).catch((failure: unknown) => {
      loading = undefined
      throw failure
    })
    return loading
  }
  const loadInBackground = (): void => void library().catch(() => setTimeout(loadInBackground, LOAD_RETRY_MS))
  if (state.status === 'unknown') loadInBackground()
  else whenIdle(loadInBackground)

  return {
    state: (): AuthState => state,
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** An access token valid for at least another 90 s, or null when signed out. */
    accessToken: async (): Promise<string | null> => {
      if (state.status === 'signed-out' || state.status === 'second-factor') return null
      return stored && isFresh(stored) ? stored.access_token : (await library()).accessToken()
    },
    signIn: lazyMethod(library, 'signIn'),
    signUp: lazyMethod(library, 'signUp'),
    signInAnonymously: lazyMethod(library, 'signInAnonymously'),
    sendMagicLink: lazyMethod(library, 'sendMagicLink'),
    verifyCode: lazyMethod(library, 'verifyCode'),
    verifyLink: lazyMethod(library, 'verifyLink'),
    resendConfirmation: lazyMethod(library, 'resendConfirmation'),
    requestPasswordReset: lazyMethod(library, 'requestPasswordReset'),
    resendEmailChange: lazyMethod(library, 'resendEmailChange'),
    signOutOthers: lazyMethod(library, 'signOutOthers'),
    signInWithPasskey: lazyMethod(library, 'signInWithPasskey'),
    ...lazyProviderMethods(library),
    ...lazyFactorMethods(library),
    ...provenMethods(library, confirm),
    listPasskeys: lazyMethod(library, 'listPasskeys'),
    renamePasskey: lazyMethod(library, 'renamePasskey'),
    check: lazyMethod(library, 'check'),
    adoptSession: lazyMethod(library, 'adoptSession'),
    signOut: lazyMethod(library, 'signOut'),
    discardSession: lazyMethod(library, 'discardSession'),
  }
}

const lazyProviderMethods = (library: () => Promise<GoTrueAuth>) => ({
  signInWithProvider: lazyMethod(library, 'signInWithProvider'),
  finishProvider: lazyMethod(library, 'finishProvider'),
  listLinkedAccounts: lazyMethod(library, 'listLinkedAccounts'),
})

const lazyFactorMethods = (library: () => Promise<GoTrueAuth>) => ({
  verifyFactor: lazyMethod(library, 'verifyFactor'),
  verifyWithKey: lazyMethod(library, 'verifyWithKey'),
  useRecoveryCode: lazyMethod(library, 'useRecoveryCode'),
  factors: lazyMethod(library, 'factors'),
  confirmFactor: lazyMethod(library, 'confirmFactor'),
})

/** The methods that may ask for a proof of identity. */
function provenMethods(library: () => Promise<GoTrueAuth>, confirm: AuthClientOptions['confirm']) {
  const method = <K extends keyof GoTrueAuth>(name: K) => proven(lazyMethod(library, name), confirm)
  return {
    changePassword: method('changePassword'),
    changeEmail: method('changeEmail'),
    linkProvider: method('linkProvider'),
    unlinkAccount: method('unlinkAccount'),
    enrollFactor: method('enrollFactor'),
    addSecurityKey: method('addSecurityKey'),
    removeFactor: method('removeFactor'),
    createRecoveryCodes: method('createRecoveryCodes'),
    addPasskey: method('addPasskey'),
    removePasskey: method('removePasskey'),
  }
}

/** The library refreshes a token this long before it expires, in ms. */
const REFRESH_BEFORE_MS = 90_000

/** Whether the token of a session needs no refresh yet. */
export const isFresh = (
  { expires_at: expiresAtS }: Pick<Session, 'expires_at'>,
  nowMs = Date.now(),
): boolean => expiresAtS !== undefined && expiresAtS * 1000 - nowMs > REFRESH_BEFORE_MS

function stateOf(session: Session | null): AuthState {
  if (!session) return { status: 'signed-out' }
  return { status: needsSecondFactor(session.access_token) ? 'second-factor' : 'signed-in', session }
}

/** A method of the library that loads the library first. */
function lazyMethod<K extends keyof GoTrueAuth>(library: () => Promise<GoTrueAuth>, name: K): GoTrueAuth[K] {
  const call = async (...args: unknown[]) => {
    const method = (await library())[name] as (...args: unknown[]) => Promise<unknown>
    return method(...args)
  }
  return call as GoTrueAuth[K]
}

/** A method that is repeated once if the server asks for a proof and the user gives it. */
function proven<M>(method: M, confirm: AuthClientOptions['confirm']): M {
  const call = async (...args: unknown[]) => {
    const send = method as (...args: unknown[]) => Promise<unknown>
    try {
      return await send(...args)
    } catch (failure) {
      const kind = failure instanceof SignInError ? PROOF_OF_CODE[failure.code] : undefined
      if (kind === undefined || !(await confirm(kind))) throw failure
      return send(...args)
    }
  }
  return call as M
}
