import type { CallInput } from '@looptide/contracts/client'
import type { DeleteMeBody } from '@looptide/contracts/http/users'
import { topics } from '@looptide/contracts/realtime'
import { useSWRConfig } from 'swr'
import { keyOf, useCall } from '../../lib/api/use-call.ts'
import { useListPage } from '../../lib/api/use-list-page.ts'
import { useReload } from '../../lib/api/use-pushed-changes.ts'
import { api, authClient } from '../../lib/clients.ts'
import { useRandomDelay } from '../../lib/realtime/use-random-delay.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { useSession } from '../../lib/session/session.tsx'
import { saveSignOutReason } from '../../lib/session/sign-out-reason.ts'

/** Changes of the user's public profile; afterwards the session's user is reloaded. */
export function useProfileChanges(userId: string) {
  const { mutate } = useSWRConfig()
  const changed = async (): Promise<void> => {
    await mutate(keyOf('GET /api/me', {}, { userId }))
  }
  return {
    save: async (change: CallInput<'PATCH /api/profiles/:id'>['body']): Promise<void> => {
      await api.call('PATCH /api/profiles/:id', { params: { id: userId }, body: change })
      await changed()
    },
    uploadPicture: async (picture: Blob): Promise<void> => {
      await api.call('PUT /api/me/avatar', { body: picture })
      await changed()
    },
    removePicture: async (): Promise<void> => {
      await api.call('DELETE /api/me/avatar')
      await changed()
    },
    cancelEmailChange: async (): Promise<void> => {
      await api.call('DELETE /api/me/email-change')
      await changed()
    },
    /** Call it after a change by the auth client. */
    changed,
  }
}

/** Whether a handle is available; no request for null. */
export function useHandleCheck(handle: string | null) {
  const { userId } = useSession()
  const input = handle && userId ? { params: { handle } } : null
  return useCall('GET /api/profiles/handles/:handle', input, { userId })
}

/** The user's sessions, latest first. */
export function useSessions() {
  const { userId } = useSession()
  const answer = useCall('GET /api/me/sessions', userId ? {} : null, { userId })
  return {
    ...answer,
    data: answer.data?.items,
    end: async (sessionId: string): Promise<void> => {
      await api.call('DELETE /api/me/sessions/:sessionId', { params: { sessionId } })
      await answer.mutate()
    },
    endOthers: async (): Promise<void> => {
      await authClient.signOutOthers()
      await answer.mutate()
    },
  }
}

/** The user's sign-ins of the last 90 days, latest first, page by page. */
export function useSignIns() {
  const { pages, ...list } = useListPage('GET /api/me/sign-ins', { query: { limit: 10 } })
  return { ...list, reload: () => void pages.mutate() }
}

/** Decisions against the user's chat messages, latest first, page by page; loaded again after each. */
export function useOwnDecisions() {
  const { userId } = useSession()
  const { pages, ...list } = useListPage('GET /api/chat/decisions', {}, { revalidateAll: true })
  const reload = useReload(pages)
  useTopic('user', userId ? topics.user(userId) : null, { chat_decision: reload }, useRandomDelay(reload))
  return { ...list, reload: () => void pages.mutate() }
}

/** The user's reports of chat messages, latest first, page by page; loaded again after a decision. */
export function useOwnReports() {
  const { userId } = useSession()
  const { pages, ...list } = useListPage('GET /api/chat/reports', {}, { revalidateAll: true })
  const reload = useReload(pages)
  useTopic('user', userId ? topics.user(userId) : null, { report_handled: reload }, useRandomDelay(reload))
  return { ...list, reload: () => void pages.mutate() }
}

/** Delay in which several decisions cause one reload, in ms. */
const RELOAD_DELAY_MS = 500

/** The videos that the user submitted, latest first, page by page; loaded again after a decision. */
export function useOwnSubmissions() {
  const { userId } = useSession()
  const { pages, ...list } = useListPage(
    'GET /api/submissions/own',
    { query: { limit: 10 } },
    { revalidateAll: true },
  )
  const reload = useReload(pages, RELOAD_DELAY_MS)
  useTopic('user', userId ? topics.user(userId) : null, { submission: reload }, useRandomDelay(reload))
  return { ...list, reload: () => void pages.mutate() }
}

/** Deletes the user's account with all its sessions. The password is required if the account has one. */
export async function deleteAccount(body: DeleteMeBody): Promise<void> {
  // Saved first: the end of the session may be pushed before the response arrives.
  saveSignOutReason({ kind: 'deleted' })
  try {
    await api.call('DELETE /api/me', { body })
  } catch (failure) {
    saveSignOutReason({ kind: 'ended' })
    throw failure
  }
  await authClient.signOut()
}

/** A user's public profile, by handle. */
export function useMember(handle: string) {
  return useCall('GET /api/profiles/by-handle/:handle', { params: { handle } }, { anonymous: true })
}

/** Shown for a browser that its user agent does not name. */
export const UNKNOWN_DEVICE = 'Unknown device'
