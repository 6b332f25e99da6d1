import type { EmbedSettings } from '@looptide/contracts/http/embeds'
import useSWR from 'swr'
import { keyOf } from '../../lib/api/use-call.ts'
import { api } from '../../lib/clients.ts'

const key = keyOf('GET /api/embeds', {}, { shape: 'versioned' })

/** Whose pages may show embeds, with the version, and its change. */
export function useEmbedSettings() {
  const answer = useSWR(key, () => api.callVersioned('GET /api/embeds'), { revalidateOnFocus: false })
  return {
    ...answer,
    /** Fails with `precondition_failed` if another admin has changed them since. */
    save: async (body: EmbedSettings, ifMatch: string): Promise<void> => {
      const saved = await api.callVersioned('PUT /api/embeds', { body }, { ifMatch })
      await answer.mutate(saved, { revalidate: false })
    },
  }
}
