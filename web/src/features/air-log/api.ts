import type { AirLogEntry } from '@looptide/contracts/http/channels'
import { type Page, useListPage } from '../../lib/api/use-list-page.ts'

const PAGE = 50
/** A channel on the air starts a new programme every few minutes. */
const REFRESH_MS = 30_000

function usePages(channelId: string, query: Record<string, string | number>, refreshInterval: number) {
  const path = `/api/channels/${encodeURIComponent(channelId)}/air-log`
  return useListPage<Page<AirLogEntry>>(path, {
    query: { ...query, limit: PAGE },
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
