import type {
  CreatedPersonalToken,
  CreatePersonalTokenBody,
  PersonalTokenList,
} from '@looptide/contracts/http/personal-tokens'
import useSWR from 'swr'
import { api } from '../../../lib/clients.ts'
import { useSession } from '../../../lib/session/session.tsx'

/** The user's access tokens, newest first, and their changes. */
export function useTokens() {
  const { userId } = useSession()
  const answer = useSWR(userId ? (['/api/me/tokens', userId] as const) : null, async ([path]) => {
    const { items } = await api.get<PersonalTokenList>(path)
    return items
  })
  return {
    ...answer,
    create: async (body: CreatePersonalTokenBody): Promise<CreatedPersonalToken> => {
      const created = await api.post<CreatedPersonalToken>('/api/me/tokens', body)
      await answer.mutate()
      return created
    },
    revoke: async (id: string): Promise<void> => {
      await api.delete(`/api/me/tokens/${encodeURIComponent(id)}`)
      await answer.mutate()
    },
    revokeAll: async (): Promise<void> => {
      await api.delete('/api/me/tokens')
      await answer.mutate()
    },
  }
}
