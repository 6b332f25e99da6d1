import type { Me } from '@looptide/contracts/http/users'
import { topics } from '@looptide/contracts/realtime'
import { createContext, type ReactNode, use, useEffect, useRef, useSyncExternalStore } from 'react'
import useSWR from 'swr'
import { toast } from '../ui/toast.ts'
import { api, authClient } from './clients.ts'
import { type Leaving, noteLeaving, whyLeft } from './leaving.ts'
import { sessionIdOf } from './token-claims.ts'
import { useCheckWhileDown } from './use-check-while-down.ts'
import { useTopic } from './use-topic.ts'

export type SessionContext = {
  /** `unknown` while the stored session is being read. */
  status: 'unknown' | 'signed-out' | 'signed-in'
  userId: string | undefined
  email: string | undefined
  /** Profile, role and restrictions; undefined until they are here. */
  me: Me | undefined
  /** The role is still being asked for: nobody should be turned away yet. */
  isRoleUnknown: boolean
  /** Asks for profile, role and restrictions once more. */
  retry: () => void
  isAdmin: boolean
  /** Moderator or admin. */
  isModerator: boolean
  signOut: () => Promise<void>
}

const Context = createContext<SessionContext | undefined>(undefined)

/** Who is here. Throws outside its provider. */
export function useSession(): SessionContext {
  const session = use(Context)
  if (!session) throw new Error('useSession must be used within a SessionProvider')
  return session
}

/** Holds the session, the person's role and restrictions, and ends both when the server says so. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const auth = useSyncExternalStore(authClient.onChange, authClient.state)
  const session = auth.status === 'signed-in' ? auth.session : undefined
  const userId = session?.user.id
  const {
    data: me,
    error,
    mutate,
  } = useSWR(userId ? ['/api/me', userId] : null, () => api.get<Me>('/api/me'))
  useFarewell(auth.status)
  useAdminWelcome(auth.status, me)

  const ownTopic = useTopic('user', userId ? topics.user(userId) : null, {
    role: () => void mutate(),
    restricted: ({ restrictionType, reason }) => {
      if (restrictionType === 'site_banned') noteLeaving({ kind: 'banned', reason })
      void mutate()
    },
    unrestricted: () => void mutate(),
    session_revoked: ({ sessionIds }) => {
      const own = session && sessionIdOf(session.access_token)
      if (own && sessionIds.includes(own)) void authClient.drop()
    },
  })
  useCheckWhileDown(ownTopic)

  // A look-up that fails leaves the role at `user` (viewer specification §4).
  const role = me?.role ?? 'user'
  return (
    <Context
      value={{
        status: auth.status,
        userId,
        // Ours is the one of the sign-in; a change of address may have been agreed to elsewhere.
        email: (userId && me?.email) ?? session?.user.email,
        me: userId ? me : undefined,
        isRoleUnknown: userId !== undefined && me === undefined && error === undefined,
        retry: () => void mutate(),
        isAdmin: role === 'admin',
        isModerator: role === 'admin' || role === 'moderator',
        signOut,
      }}
    >
      {children}
    </Context>
  )
}

async function signOut(): Promise<void> {
  noteLeaving({ kind: 'wished' })
  await authClient.signOut()
}

/** Says, in every tab, why one is no longer signed in; who wished it knows. */
function useFarewell(status: SessionContext['status']): void {
  const before = useRef(status)
  useEffect(() => {
    if (before.current === 'signed-in' && status === 'signed-out') sayFarewell(whyLeft())
    before.current = status
  }, [status])
}

function sayFarewell(leaving: Leaving): void {
  if (leaving.kind === 'wished') return
  if (leaving.kind === 'deleted') {
    toast({ title: 'Account Deleted', description: 'Your account and what belonged to it are gone.' })
    return
  }
  toast({
    title: 'You have been signed out',
    description:
      leaving.kind === 'banned'
        ? `Your account has been banned: ${leaving.reason}`
        : 'Your session has ended. Please sign in again.',
    ...(leaving.kind === 'banned' ? { tone: 'error' as const } : {}),
  })
}

/** Viewer specification §6 and §9. */
const WELCOME_MS = 4_000

/** Welcomes the admin of `ADMIN_WELCOME_HANDLE` after a sign-in on this page; not one who returns with an open session. */
function useAdminWelcome(status: SessionContext['status'], me: Me | undefined): void {
  const before = useRef(status)
  const isNew = useRef(false)
  const hasWelcomeToast = me?.hasWelcomeToast === true
  useEffect(() => {
    if (before.current === 'signed-out' && status === 'signed-in') {
      isNew.current = document.visibilityState === 'visible'
    }
    before.current = status
    if (!isNew.current || status !== 'signed-in' || !hasWelcomeToast) return
    isNew.current = false
    toast({ title: 'Welcome back, Administrator!', tone: 'success', durationMs: WELCOME_MS })
  }, [status, hasWelcomeToast])
}
