import type { SearchQuery } from './api.ts'

/** Navigation state that leads to the results (docs/product/viewer.md §2). */
export interface SearchState {
  query?: string
  /** The page that Back leads to. */
  fromPath?: string
  searchType?: 'specific' | 'artist' | 'general'
  artistName?: string
}

/** What the results page searches for, and its texts. */
export interface RequestedSearch {
  query: SearchQuery
  /** The video that was chosen from the suggestions. */
  videoId: string | null
  title: string
  nothing: string
}

/** Maximum length of a search text. */
const MAX_LENGTH = 200

/** The search in the URL, else in the navigation state; null without one. */
export function requestedSearch(parameters: URLSearchParams, state: SearchState): RequestedSearch | null {
  const hasAddress = parameters.has('q') || parameters.has('artist')
  const artist = hasAddress
    ? parameters.get('artist')
    : state.searchType === 'artist'
      ? state.artistName
      : undefined
  if (artist) {
    return {
      query: { artist: artist.slice(0, MAX_LENGTH) },
      videoId: null,
      title: `Videos by ${artist}`,
      nothing: `No videos found for artist "${artist}"`,
    }
  }
  const query = (hasAddress ? parameters.get('q') : state.query)?.trim().slice(0, MAX_LENGTH) ?? ''
  if (query === '') return null
  return {
    query: { q: query },
    videoId: parameters.get('video'),
    title: `Search Results for "${query}"`,
    nothing: `No videos found matching "${query}"`,
  }
}
