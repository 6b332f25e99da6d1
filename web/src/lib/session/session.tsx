import type { Role } from '@looptide/contracts/common'
import type { Me } from '@looptide/contracts/http/users'
import { may, type Permission } from '@looptide/contracts/permissions'
import { topics } from '@looptide/contracts/realtime'
import { createContext, type ReactNode, use, useEffect, useRef, useSyncExternalStore } from 'react'
import { toast } from '../../ui/toast.ts'
import { useCall } from '../api/use-call.ts'
import { randomId } from '../browser/random-id.ts'
import { authClient } from '../clients.ts'
import { REJOIN_SPREAD_MS } from '../realtime/reconnect-delay.ts'
import type { TopicState } from '../realtime/shared-topic.ts'
import { useRandomDelay } from '../realtime/use-random-delay.ts'
import { useTopic } from '../realtime/use-topic.ts'
import { readSignOutReason, type SignOutReason, saveSignOutReason } from './sign-out-reason.ts'
import { sessionIdOf } from './token-claims.ts'

export interface SessionContext {
  /** `unknown` while the stored session is being read. */
  status: 'unknown' | 'signed-out' | 'signed-in'
  /** Signed out, except that the first of two steps of the sign-in is done. */
  needsSecondFactor: boolean
  userId: string | undefined
  email: string | undefined
  /** Signed in without an account (docs/decisions/0062). */
  isAnonymous: boolean
  /** Profile, role and restrictions; undefined until they are loaded. */
  me: Me | undefined
  /** The role is being loaded: do not refuse access yet. */
  isRoleLoading: boolean
  /** Loads profile, role and restrictions again. Resolves once they are loaded, or cannot be. */
  retry: () => Promise<void>
  /** `user` until it is known, and when the look-up fails (docs/product/viewer.md §4). */
  role: Role
  /** Whether the role allows this. Only for what is shown: the services check permissions themselves. */
  may: (permission: Permission) => boolean
  signOut: () => Promise<void>
}

const Context = createContext<SessionContext | undefined>(undefined)

/** The session of the current user. Throws outside its provider. */
export function useSession(): SessionContext {
  const session = use(Context)
  if (!session) throw new Error('useSession must be used within a SessionProvider')
  return session
}

/** Provides the session and the user's role and restrictions, and ends the session when the server revokes it. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const auth = useSyncExternalStore(authClient.onChange, authClient.state)
  const status = auth.status === 'second-factor' ? 'signed-out' : auth.status
  const session = auth.status === 'signed-in' ? auth.session : undefined
  const userId = session?.user.id
  const { data: me, error, mutate } = useCall('GET /api/me', userId ? {} : null, { userId })
  const reload = () => void mutate()
  // Different for each user and not cached, so the requests of clients that rejoin together are spread.
  const catchUp = useRandomDelay(reload)
  useSignOutMessage(status)
  useAdminWelcome(status, me)

  const ownTopic = useTopic(
    'user',
    userId ? topics.user(userId) : null,
    {
      role: reload,
      restricted: ({ restrictionType, reason }) => {
        if (restrictionType === 'site_banned') saveSignOutReason({ kind: 'banned', reason })
        reload()
      },
      unrestricted: reload,
      session_revoked: ({ sessionIds }) => {
        const own = session && sessionIdOf(session.access_token)
        if (own && sessionIds.includes(own)) void authClient.discardSession()
      },
    },
    catchUp,
  )
  useCheckWhileDown(ownTopic)

  const role = me?.role ?? 'user'
  const isAnonymous = me ? me.email === null : session?.user.is_anonymous === true
  return (
    <Context
      value={{
        status,
        needsSecondFactor: auth.status === 'second-factor',
        userId,
        // The session has the email of the sign-in; it may have been changed in another browser since.
        email: (userId && me?.email) ?? session?.user.email,
        isAnonymous: userId !== undefined && isAnonymous,
        me: userId ? me : undefined,
        isRoleLoading: userId !== undefined && me === undefined && error === undefined,
        retry: async () => void (await mutate()),
        role,
        may: (permission) => may(role, permission),
        signOut,
      }}
    >
      {children}
    </Context>
  )
}

/** Distinguishes this page from other tabs of the browser. */
const PAGE_ID = randomId()

async function signOut(): Promise<void> {
  saveSignOutReason({ kind: 'by-user', pageId: PAGE_ID })
  await authClient.signOut()
}

/** Shows in every tab why the session ended, except in the one in which the user signed out. */
function useSignOutMessage(status: SessionContext['status']): void {
  const before = useRef(status)
  useEffect(() => {
    if (before.current === 'signed-in' && status === 'signed-out') showSignOutMessage(readSignOutReason())
    before.current = status
  }, [status])
}

function showSignOutMessage(reason: SignOutReason): void {
  if (reason.kind === 'by-user' && reason.pageId === PAGE_ID) return
  if (reason.kind === 'deleted') {
    toast({ title: 'Account Deleted', description: 'Your account and its data have been deleted.' })
    return
  }
  toast({
    title: 'You have been signed out',
    description: signOutText(reason),
    ...(reason.kind === 'banned' ? { tone: 'error' as const } : {}),
  })
}

function signOutText(reason: SignOutReason): string {
  if (reason.kind === 'by-user') return 'You signed out in another tab.'
  if (reason.kind !== 'banned') return 'Your session has ended. Please sign in again.'
  return reason.reason === null
    ? 'Your account has been banned.'
    : `Your account has been banned: ${reason.reason}`
}

/** docs/product/viewer.md §6 and §9. */
const WELCOME_MS = 4_000

/** Welcomes the admin of `ADMIN_WELCOME_HANDLE` after a sign-in in this tab, not when a stored session is restored. */
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

/** Time the user's topic must be down before the session is checked over HTTP, in ms. */
const CHECK_AFTER_MS = 1_000

/**
 * Checks once, while the user's own topic is down, whether the session still exists. A session that ended while the
 * socket was disconnected is refused the topic without a reason. An outage ends no session. The checks of clients that
 * lost the same gateway are spread over 5 s.
 */
function useCheckWhileDown(state: TopicState): void {
  useEffect(() => {
    if (state !== 'down') return
    const delayMs = CHECK_AFTER_MS + Math.random() * REJOIN_SPREAD_MS
    const timer = setTimeout(() => void authClient.check().catch(() => undefined), delayMs)
    return () => clearTimeout(timer)
  }, [state])
}
