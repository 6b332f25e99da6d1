import type { Guide } from '@looptide/contracts/http/channels'
import useSWR from 'swr'
import { api } from '../../lib/clients.ts'

/** Viewer specification §9: refresh every 5 minutes. */
const REFRESH_MS = 5 * 60_000

/** The programmes of the next 24 hours. */
export function useGuide(channelId: string) {
  return useSWR(
    `/api/channels/${encodeURIComponent(channelId)}/guide`,
    (path: string) => api.get<Guide>(path, { anonymous: true, query: { hours: 24 } }),
    { refreshInterval: REFRESH_MS },
  )
}
