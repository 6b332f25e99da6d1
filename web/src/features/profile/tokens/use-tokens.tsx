import type { CreatedPersonalToken, CreatePersonalTokenBody } from '@looptide/contracts/http/personal-tokens'
import { type ReactNode, useState } from 'react'
import { useCall } from '../../../lib/api/use-call.ts'
import { api } from '../../../lib/clients.ts'
import { useSession } from '../../../lib/session/session.tsx'

/**
 * Offers to revoke the user's access tokens with another action, which ends other access to the account. `field` is a
 * checkbox, or null without tokens; `revokeIfChosen` is called after the action.
 */
export function useTokenRevocation(): { field: ReactNode; revokeIfChosen: () => Promise<void> } {
  const { data: tokens = [], revokeAll } = useTokens()
  const [isChosen, setChosen] = useState(false)
  const count = tokens.length
  const field =
    count === 0 ? null : (
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-primary"
          checked={isChosen}
          onChange={({ target }) => setChosen(target.checked)}
        />
        {count === 1 ? 'Revoke my access token too' : `Revoke my ${count} access tokens too`}
      </label>
    )
  return {
    field,
    revokeIfChosen: async () => {
      if (isChosen) await revokeAll()
    },
  }
}

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
