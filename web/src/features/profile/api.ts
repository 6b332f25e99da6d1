import type { DeleteMeBody, HandleCheck, Profile, Session, SignInPage } from '@looptide/contracts/http/users'
import useSWR, { useSWRConfig } from 'swr'
import { useListPage } from '../../lib/api/use-list-page.ts'
import { api, authClient } from '../../lib/clients.ts'
import { useSession } from '../../lib/session/session.tsx'
import { saveSignOutReason } from '../../lib/session/sign-out-reason.ts'

export interface ProfileChange {
  handle?: string
  artistName?: string | null
  avatarUrl?: string | null
}

/** Changes of the user's public profile; afterwards the session's user is reloaded. */
export function useProfileChanges(userId: string) {
  const { mutate } = useSWRConfig()
  const changed = async (): Promise<void> => {
    await mutate(['/api/me', userId])
  }
  return {
    save: async (change: ProfileChange): Promise<void> => {
      await api.patch<Profile>(`/api/profiles/${encodeURIComponent(userId)}`, change)
      await changed()
    },
    uploadPicture: async (picture: Blob): Promise<void> => {
      await api.put<Profile>('/api/me/avatar', picture)
      await changed()
    },
    removePicture: async (): Promise<void> => {
      await api.delete<Profile>('/api/me/avatar')
      await changed()
    },
    cancelEmailChange: async (): Promise<void> => {
      await api.delete('/api/me/email-change')
      await changed()
    },
    /** Call it after a change by the auth client. */
    changed,
  }
}

/** Whether a handle is available; no request for null. */
export function useHandleCheck(handle: string | null) {
  const { userId } = useSession()
  return useSWR(
    handle && userId ? (['/api/profiles/handles', handle, userId] as const) : null,
    ([path, wanted]) => api.get<HandleCheck>(`${path}/${encodeURIComponent(wanted)}`),
  )
}

/** The user's sessions, latest first. */
export function useSessions() {
  const { userId } = useSession()
  const answer = useSWR(userId ? (['/api/me/sessions', userId] as const) : null, async ([path]) => {
    const { items } = await api.get<{ items: Session[] }>(path)
    return items
  })
  return {
    ...answer,
    end: async (sessionId: string): Promise<void> => {
      await api.delete(`/api/me/sessions/${encodeURIComponent(sessionId)}`)
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
  const { pages, ...list } = useListPage<SignInPage>('/api/me/sign-ins', { query: { limit: 10 } })
  return { ...list, reload: () => void pages.mutate() }
}

/** Deletes the user's account with all its sessions. The password is required if the account has one. */
export async function deleteAccount(body: DeleteMeBody): Promise<void> {
  // Saved first: the end of the session may be pushed before the response arrives.
  saveSignOutReason({ kind: 'deleted' })
  try {
    await api.delete('/api/me', { body })
  } catch (failure) {
    saveSignOutReason({ kind: 'ended' })
    throw failure
  }
  await authClient.signOut()
}

/** A user's public profile, by handle. */
export function useMember(handle: string) {
  return useSWR(['/api/profiles/by-handle', handle] as const, ([path, wanted]) =>
    api.get<Profile>(`${path}/${encodeURIComponent(wanted)}`, { anonymous: true }),
  )
}
