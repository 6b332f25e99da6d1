import { useCall } from '../../lib/api/use-call.ts'
import { api } from '../../lib/clients.ts'
import type { Period } from './period.ts'

const EXPORT_TIMEOUT_MS = 120_000

/** What a channel has aired in a period; no request while it is undefined. */
export const useAiringReport = (channelId: string, period: Period | undefined) =>
  useCall(
    'GET /api/channels/:id/airings/report',
    period ? { params: { id: channelId }, query: period } : null,
    {
      keepPreviousData: true,
      revalidateOnFocus: false,
    },
  )

/** Every airing of a period as a CSV file. */
export async function exportAirings(channelId: string, period: Period): Promise<Blob> {
  const input = { params: { id: channelId }, query: period }
  const options = { timeoutMs: EXPORT_TIMEOUT_MS }
  return (await api.callForFile('GET /api/channels/:id/airings/royalties.csv', input, options)).file
}
