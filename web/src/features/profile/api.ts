import type { Profile } from '@looptide/contracts/http/people'
import { useSWRConfig } from 'swr'
import { api } from '../../lib/clients.ts'

export type ProfileChange = { handle?: string; artistName?: string | null }

/** Saves one's own profile; who is signed in is read anew everywhere. */
export function useSaveProfile(): (userId: string, change: ProfileChange) => Promise<void> {
  const { mutate } = useSWRConfig()
  return async (userId, change) => {
    await api.patch<Profile>(`/api/profiles/${encodeURIComponent(userId)}`, change)
    await mutate(['/api/me', userId])
  }
}
