import useSWR from 'swr'
import { authClient } from '../../../lib/clients.ts'
import type { LinkedAccount } from '../../../lib/session/provider-methods.ts'
import { useSession } from '../../../lib/session/session.tsx'

/** The user's accounts at providers, oldest first. */
export function useLinkedAccounts() {
  const { userId } = useSession()
  const answer = useSWR(userId ? (['auth/identities', userId] as const) : null, authClient.listLinkedAccounts)
  return {
    ...answer,
    unlink: async (account: LinkedAccount): Promise<void> => {
      await authClient.unlinkAccount(account)
      await answer.mutate()
    },
  }
}
