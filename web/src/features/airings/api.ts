import type { StatisticsSort, StatisticsUnit } from '@looptide/contracts/http/airing-statistics'
import { useCall } from '../../lib/api/use-call.ts'
import { useListPage } from '../../lib/api/use-list-page.ts'
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

const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** What viewers did in a period, by pages. */
export const useStatistics = (
  channelId: string,
  period: Period,
  order: { by: StatisticsUnit; sort: StatisticsSort; order: 'ascending' | 'descending' },
) =>
  useListPage(
    'GET /api/channels/:id/airings/statistics',
    { params: { id: channelId }, query: { ...period, timeZone: timeZone(), ...order, limit: 50 } },
    { revalidateOnFocus: false, keepPreviousData: true },
  )

/** The hours of a period, or its days, in order, for a chart. A longer period has more hours than a page has rows. */
export const useStatisticsChart = (channelId: string, period: Period, by: 'hour' | 'day') =>
  useCall(
    'GET /api/channels/:id/airings/statistics',
    {
      params: { id: channelId },
      query: { ...period, timeZone: timeZone(), by, order: 'ascending', limit: 500 },
    },
    { keepPreviousData: true, revalidateOnFocus: false },
  )

/** The rows of a period as a CSV file, the oldest first. */
export async function exportStatistics(channelId: string, period: Period, by: StatisticsUnit): Promise<Blob> {
  const input = { params: { id: channelId }, query: { ...period, timeZone: timeZone(), by } }
  const options = { timeoutMs: EXPORT_TIMEOUT_MS }
  return (await api.callForFile('GET /api/channels/:id/airings/statistics.csv', input, options)).file
}
