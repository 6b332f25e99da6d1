import type { Me } from '@looptide/contracts/http/people'
import { topics } from '@looptide/contracts/realtime'
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useSyncExternalStore,
} from 'react'
import useSWR from 'swr'
import { toast } from '../ui/toast.ts'
import { sessionIdOf } from './auth-client.ts'
import { api, authClient, onSessionGone } from './clients.ts'
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

  const { signOut, endSession } = useLeaving(auth.status)

  useTopic('user', userId ? topics.user(userId) : null, {
    role: () => void mutate(),
    restricted: () => void mutate(),
    unrestricted: () => void mutate(),
    session_revoked: ({ sessionIds }) => {
      const own = session && sessionIdOf(session.access_token)
      if (own && sessionIds.includes(own)) endSession()
    },
  })

  // A look-up that fails leaves the role at `user` (viewer specification §4).
  const role = me?.role ?? 'user'
  return (
    <Context
      value={{
        status: auth.status,
        userId,
        email: session?.user.email,
        me: userId ? me : undefined,
        isRoleUnknown: userId !== undefined && me === undefined && error === undefined,
        isAdmin: role === 'admin',
        isModerator: role === 'admin' || role === 'moderator',
        signOut,
      }}
    >
      {children}
    </Context>
  )
}

/** The two ways out: by one's own wish, and by the server's. Only the second needs a word of explanation. */
function useLeaving(status: SessionContext['status']) {
  const wished = useRef(false)
  const before = useRef(status)

  const signOut = useCallback(async () => {
    wished.current = true
    await authClient.signOut()
  }, [])
  const endSession = useCallback(() => void authClient.signOut(), [])
  const onEnded = useEffectEvent(() => {
    if (!wished.current) {
      toast({
        title: 'You have been signed out',
        description: 'Your session has ended. Please sign in again.',
      })
    }
    wished.current = false
  })

  useEffect(() => onSessionGone(endSession), [endSession])
  useEffect(() => {
    if (before.current === 'signed-in' && status === 'signed-out') onEnded()
    before.current = status
  }, [status])

  return { signOut, endSession }
}
