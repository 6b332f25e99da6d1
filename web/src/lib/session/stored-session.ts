import { PAIR_PAGE } from '../paths.ts'
import { isFresh, type Session } from './auth-client.ts'

/** Where the auth library stores the session of this browser. */
export const SESSION_KEY = 'looptide-session'

/** Whether a session may be in the URL, as after an emailed link of the auth protocol. Only the library reads it. */
function isInUrl(): boolean {
  const { pathname, search, hash } = window.location
  // There `code` is the code of a TV.
  if (pathname === PAIR_PAGE) return false
  return /[?&]code=/.test(search) || /access_token=|error=/.test(hash)
}

function stored(): string | null {
  try {
    return localStorage.getItem(SESSION_KEY)
  } catch {
    return null
  }
}

/** Whether a session is stored, or is in the URL. */
export const mayBeSignedIn = (): boolean => isInUrl() || stored() !== null

/** The stored session, as the library writes it, if its token needs no refresh. */
export function storedSession(): Session | undefined {
  if (isInUrl()) return undefined
  try {
    const session: unknown = JSON.parse(stored() ?? 'null')
    return isSession(session) && isFresh(session) ? session : undefined
  } catch {
    return undefined
  }
}

function isSession(value: unknown): value is Session {
  const { access_token: token, user } = (value ?? {}) as { access_token?: unknown; user?: { id?: unknown } }
  return typeof token === 'string' && typeof user?.id === 'string'
}
