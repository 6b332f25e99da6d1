import type { AirLogEntry } from '@looptide/contracts/http/channels'
import useSWRInfinite from 'swr/infinite'
import { withQuery } from '../../lib/api/api.ts'
import { api } from '../../lib/clients.ts'

type AirLogPage = { items: AirLogEntry[]; nextCursor: string | null }

const PAGE = 50
/** A channel on the air starts a new programme every few minutes. */
const REFRESH_MS = 30_000

const fetchPage = (path: string) => api.get<AirLogPage>(path, { anonymous: true })

function usePages(channelId: string, query: Record<string, string | number>, refreshInterval: number) {
  const path = `/api/channels/${encodeURIComponent(channelId)}/air-log`
  return useSWRInfinite(
    (_index: number, previous: AirLogPage | null) => {
      if (previous && previous.nextCursor === null) return null
      return withQuery(path, { ...query, limit: PAGE, cursor: previous?.nextCursor ?? undefined })
    },
    fetchPage,
    { refreshInterval, revalidateFirstPage: refreshInterval > 0, revalidateOnFocus: refreshInterval > 0 },
  )
}

/**
 * The programmes of a channel around an instant, newest first: pages of earlier and of later ones. The later ones grow
 * as new programmes start.
 */
export function useAirLog(channelId: string, anchorMs: number) {
  const earlier = usePages(channelId, { beforeMs: anchorMs + 1 }, 0)
  const later = usePages(channelId, { afterMs: anchorMs, order: 'oldest' }, REFRESH_MS)
  const past = earlier.data?.flatMap(({ items }) => items)
  const newestPastMs = past?.[0]?.startedAtMs ?? anchorMs
  const rest = later.data?.flatMap(({ items }) => items).filter((entry) => entry.startedAtMs > newestPastMs)
  const hasMore = (pages: AirLogPage[] | undefined) => typeof pages?.at(-1)?.nextCursor === 'string'
  return {
    entries: past && rest && [...rest.toReversed(), ...past],
    error: earlier.error ?? later.error,
    retry: () => {
      void earlier.mutate()
      void later.mutate()
    },
    hasEarlier: hasMore(earlier.data),
    loadEarlier: () => void earlier.setSize((size) => size + 1),
    hasLater: hasMore(later.data),
    loadLater: () => void later.setSize((size) => size + 1),
    isLoadingMore: earlier.isValidating && earlier.data?.length !== earlier.size,
  }
}
