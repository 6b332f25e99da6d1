import type { CallInput } from '@looptide/contracts/client'
import { useListPage } from '../../lib/api/use-list-page.ts'

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
