import type { CreatedPersonalToken, CreatePersonalTokenBody } from '@looptide/contracts/http/personal-tokens'
import { useCall } from '../../../lib/api/use-call.ts'
import { api } from '../../../lib/clients.ts'
import { useSession } from '../../../lib/session/session.tsx'

/** The user's access tokens, newest first, and their changes. */
export function useTokens() {
  const { userId } = useSession()
  const answer = useCall('GET /api/me/tokens', userId ? {} : null, { userId })
  return {
    ...answer,
    data: answer.data?.items,
    create: async (body: CreatePersonalTokenBody): Promise<CreatedPersonalToken> => {
      const created = await api.call('POST /api/me/tokens', { body })
      await answer.mutate()
      return created
    },
    revoke: async (id: string): Promise<void> => {
      await api.call('DELETE /api/me/tokens/:tokenId', { params: { tokenId: id } })
      await answer.mutate()
    },
    revokeAll: async (): Promise<void> => {
      await api.call('DELETE /api/me/tokens')
      await answer.mutate()
    },
  }
}
