import type { SearchResult } from '@looptide/contracts/http/videos'
import useSWR from 'swr'
import { api } from '../../lib/clients.ts'

/** Viewer specification §7 and §9. */
export const RESULTS_PAGE_LIMIT = 50
export const DIALOG_LIMIT = 15
export const DIALOG_MIN_LENGTH = 2
export const DIALOG_DEBOUNCE_MS = 300

export type SearchWish = { q: string } | { artist: string }

/** Videos that contain the text, or those of exactly this artist; null asks nothing. */
export function useSearch(wish: SearchWish | null, limit: number) {
  return useSWR(
    wish && ['/api/search', wish, limit],
    ([path, query]) => api.get<SearchResult>(path, { query: { ...query, limit }, anonymous: true }),
    { revalidateOnFocus: false, keepPreviousData: true },
  )
}
