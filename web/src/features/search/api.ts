import { useCall } from '../../lib/api/use-call.ts'

/** docs/product/viewer.md §7 and §9. */
export const RESULTS_PAGE_LIMIT = 50
export const DIALOG_LIMIT = 15
export const DIALOG_MIN_LENGTH = 2
export const DIALOG_DEBOUNCE_MS = 300
export const SUGGESTIONS_LIMIT = 20
export const SUGGESTIONS_DEBOUNCE_MS = 100

export type SearchQuery = { q: string } | { artist: string }

/**
 * Videos (and artists) that contain the text, or the videos of an artist by exact name; no request for null. A late
 * response is never shown for the next query.
 */
export function useSearch(query: SearchQuery | null, limit: number) {
  return useCall('GET /api/search', query && { query: { ...query, limit } }, {
    anonymous: true,
    revalidateOnFocus: false,
    keepPreviousData: true,
  })
}

/** A public video; no request for null. */
export const useVideo = (id: string | null) =>
  useCall('GET /api/videos/:id', id === null ? null : { params: { id } }, {
    revalidateOnFocus: false,
    shouldRetryOnError: false,
  })
