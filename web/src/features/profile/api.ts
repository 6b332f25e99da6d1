import type { HandleCheck, Profile, Session } from '@looptide/contracts/http/users'
import useSWR, { useSWRConfig } from 'swr'
import { api, authClient } from '../../lib/clients.ts'
import { noteLeaving } from '../../lib/leaving.ts'
import { useSession } from '../../lib/session.tsx'

export type ProfileChange = { handle?: string; artistName?: string | null; avatarUrl?: string | null }

/** Everything that changes one's public profile; who is signed in is read anew everywhere afterwards. */
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
    /** After a change that went past us, by the auth client. */
    changed,
  }
}

/** Whether one may take this handle; asks nothing for null. */
export function useHandleCheck(handle: string | null) {
  const { userId } = useSession()
  return useSWR(
    handle && userId ? (['/api/profiles/handles', handle, userId] as const) : null,
    ([path, wanted]) => api.get<HandleCheck>(`${path}/${encodeURIComponent(wanted)}`),
  )
}

/** Where one is signed in, the latest first. */
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

/** Deletes one's own account, and with it every session. `password`: where the account has one. */
export async function deleteAccount(password: string | undefined): Promise<void> {
  // Noted first: the end of the session may be heard of before the answer comes.
  noteLeaving({ kind: 'deleted' })
  try {
    await api.delete('/api/me', { body: password === undefined ? {} : { password } })
  } catch (failure) {
    noteLeaving({ kind: 'ended' })
    throw failure
  }
  await authClient.signOut()
}

/** Somebody's public profile by handle. */
export function useMember(handle: string) {
  return useSWR(['/api/profiles/by-handle', handle] as const, ([path, wanted]) =>
    api.get<Profile>(`${path}/${encodeURIComponent(wanted)}`, { anonymous: true }),
  )
}
