import type { Session } from '@supabase/auth-js'
import type { AuthDoor } from './auth-door.ts'

export type { Session }

/** `unknown` until the stored session has been read and, if stale, refreshed. */
export type AuthState =
  | { status: 'unknown' }
  | { status: 'signed-out' }
  | { status: 'signed-in'; session: Session }

/** What a mailed link may stand for. */
export const LINK_TYPES = ['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email'] as const
export type LinkType = (typeof LINK_TYPES)[number]

export type AuthClientOptions = {
  /** Opens the door, whose library is a fifth of what the app weighs; `onSession` hears of every session. */
  open: (onSession: (session: Session | null) => void) => Promise<AuthDoor>
  /** Whether this browser may be signed in. If not, nobody has to wait to know it. */
  mayBeSignedIn: () => boolean
  /** Calls back when the page has time to spare. */
  whenIdle: (callback: () => void) => void
}

/** Between two tries to fetch the library. */
const RETRY_MS = 3_000

export type AuthClient = ReturnType<typeof createAuthClient>

/**
 * Who is signed in, and every way to change that; see `openAuthDoor` for what each method does. A visitor's first
 * view does not wait for the library: it comes behind it, for it also hears of a sign-in in another tab.
 */
export function createAuthClient({ open, mayBeSignedIn, whenIdle }: AuthClientOptions) {
  let state: AuthState = mayBeSignedIn() ? { status: 'unknown' } : { status: 'signed-out' }
  const listeners = new Set<() => void>()
  const onSession = (session: Session | null) => {
    state = session ? { status: 'signed-in', session } : { status: 'signed-out' }
    for (const listener of [...listeners]) listener()
  }
  let opening: Promise<AuthDoor> | undefined
  const door = (): Promise<AuthDoor> => {
    opening ??= open(onSession).catch((failure: unknown) => {
      opening = undefined
      throw failure
    })
    return opening
  }
  const openInTime = (): void => void door().catch(() => setTimeout(openInTime, RETRY_MS))
  if (state.status === 'unknown') openInTime()
  else whenIdle(openInTime)

  return {
    state: (): AuthState => state,
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** A token good for at least another 90 s, or null when nobody is signed in. */
    accessToken: async (): Promise<string | null> =>
      state.status === 'signed-out' ? null : (await door()).accessToken(),
    signIn: through(door, 'signIn'),
    signUp: through(door, 'signUp'),
    sendMagicLink: through(door, 'sendMagicLink'),
    verifyCode: through(door, 'verifyCode'),
    verifyLink: through(door, 'verifyLink'),
    resendConfirmation: through(door, 'resendConfirmation'),
    requestPasswordReset: through(door, 'requestPasswordReset'),
    changePassword: through(door, 'changePassword'),
    changeEmail: through(door, 'changeEmail'),
    resendEmailChange: through(door, 'resendEmailChange'),
    signOutOthers: through(door, 'signOutOthers'),
    check: through(door, 'check'),
    signOut: through(door, 'signOut'),
    drop: through(door, 'drop'),
  }
}

/** One of the door's methods, which opens the door first. */
function through<K extends keyof AuthDoor>(door: () => Promise<AuthDoor>, name: K): AuthDoor[K] {
  const call = async (...args: unknown[]) => {
    const method = (await door())[name] as (...args: unknown[]) => Promise<unknown>
    return method(...args)
  }
  return call as AuthDoor[K]
}
