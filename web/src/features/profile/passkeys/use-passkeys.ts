import useSWR from 'swr'
import { authClient } from '../../../lib/clients.ts'
import { useSession } from '../../../lib/session/session.tsx'

/** The user's passkeys, oldest first, and their changes. */
export function usePasskeys() {
  const { userId } = useSession()
  const answer = useSWR(userId ? (['auth/passkeys', userId] as const) : null, authClient.listPasskeys)
  /** Reloads also after a failure: a passkey may have been added before its name was refused. */
  const change = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } finally {
      await answer.mutate()
    }
  }
  return {
    ...answer,
    add: (name: string) => change(authClient.addPasskey(name)),
    rename: (id: string, name: string) => change(authClient.renamePasskey(id, name)),
    remove: (id: string) => change(authClient.removePasskey(id)),
  }
}
