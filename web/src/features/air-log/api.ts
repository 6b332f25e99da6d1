import type { CallInput } from '@looptide/contracts/client'
import type { AiringFacts } from '@looptide/contracts/http/airing-details'
import type { AirLogEntry } from '@looptide/contracts/http/channels'
import { READ_ONCE, useCall } from '../../lib/api/use-call.ts'
import { useConfig } from '../../lib/api/use-config.ts'
import { useListPage } from '../../lib/api/use-list-page.ts'
import { serverClock } from '../../lib/clients.ts'

const PAGE = 50
/** A channel on the air starts a new programme every few minutes. */
const REFRESH_MS = 30_000

type AirLogInput = CallInput<'GET /api/channels/:id/air-log'>

function usePages(channelId: string, query: AirLogInput['query'], refreshInterval: number) {
  const input = { params: { id: channelId }, query: { ...query, limit: PAGE } }
  return useListPage('GET /api/channels/:id/air-log', input, {
    anonymous: true,
    refreshInterval,
    revalidateFirstPage: refreshInterval > 0,
    revalidateOnFocus: refreshInterval > 0,
  })
}

/**
 * The programmes of a channel around an instant, newest first: pages of earlier and of later ones. The later ones grow
 * as new programmes start.
 */
export function useAirLog(channelId: string, anchorMs: number) {
  const earlier = usePages(channelId, { beforeMs: anchorMs + 1 }, 0)
  const later = usePages(channelId, { afterMs: anchorMs, order: 'oldest' }, REFRESH_MS)
  const past = earlier.items
  const newestPastMs = past?.[0]?.startedAtMs ?? anchorMs
  const rest = later.items?.filter((entry) => entry.startedAtMs > newestPastMs)
  return {
    entries: past && rest && [...rest.toReversed(), ...past],
    error: earlier.error ?? later.error,
    retry: () => {
      void earlier.pages.mutate()
      void later.pages.mutate()
    },
    hasEarlier: earlier.hasMore,
    loadEarlier: earlier.loadMore,
    hasLater: later.hasMore,
    loadLater: later.loadMore,
    isLoadingMore: earlier.isLoadingMore && earlier.pages.data?.length !== earlier.pages.size,
  }
}

/** The programme of a channel at an instant; `data` is null if nothing was on. No request without an instant. */
export function useAirLogEntry(channelId: string, atMs: number | undefined) {
  const input =
    atMs === undefined ? null : { params: { id: channelId }, query: { beforeMs: atMs + 1, limit: 1 } }
  const { data, error, mutate } = useCall('GET /api/channels/:id/air-log', input, { anonymous: true })
  const entry = data?.items[0]
  const isFound = entry !== undefined && atMs !== undefined && atMs < entry.endedAtMs
  return { data: data && (isFound ? entry : null), error: error as unknown, mutate }
}

/** What viewers did during a programme; not known of programmes before the station counted it. */
export const useAiring = (entry: Pick<AirLogEntry, 'id' | 'channelId'> | null) =>
  useCall(
    'GET /api/channels/:id/airings/:airingId',
    entry && { params: { id: entry.channelId, airingId: entry.id } },
    { anonymous: true, shouldRetryOnError: false },
  )

/** Time for which rows of the history share one request, in ms. */
const WINDOW_MS = 4 * 3_600_000
/** Programmes of that time. */
const WINDOW_LIMIT = 500

/** What viewers did during a programme of the history; one request for all rows of four hours. */
export function useAiringFacts({
  channelId,
  startedAtMs,
}: Pick<AirLogEntry, 'channelId' | 'startedAtMs'>): AiringFacts | undefined {
  const { requests } = useConfig()
  const fromMs = startedAtMs - (startedAtMs % WINDOW_MS)
  const query = { fromMs, toMs: fromMs + WINDOW_MS, limit: WINDOW_LIMIT }
  const isPast = fromMs + WINDOW_MS < serverClock.nowMs()
  const { data } = useCall(
    'GET /api/channels/:id/airings',
    requests ? { params: { id: channelId }, query } : null,
    { anonymous: true, ...READ_ONCE, ...(isPast ? {} : { refreshInterval: REFRESH_MS }) },
  )
  return data?.items.find((airing) => airing.startedAtMs === startedAtMs)
}
