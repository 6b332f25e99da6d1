import type { VideoCategory } from '@looptide/contracts/common'
import type { VideoSort } from '@looptide/contracts/http/videos'

export interface ListQuery {
  q?: string | undefined
  sort: VideoSort
  category?: VideoCategory | undefined
}

/** The choices of docs/product/admin.md §2, "/videos". */
export const SORTS: readonly { value: VideoSort; label: string }[] = [
  { value: 'newest', label: 'Newest First' },
  { value: 'title', label: 'Title A-Z' },
  { value: 'artist', label: 'Artist A-Z' },
  { value: 'mostLiked', label: 'Most Liked' },
]
/** '' is no filter. */
export const CATEGORY_CHOICES = [
  { value: '', label: 'All Categories' },
  { value: 'Must Watch', label: 'Must Watch' },
  { value: 'New Video Submissions', label: 'New Submissions' },
  { value: 'Classics', label: 'Classics' },
] as const

export const MAX_TEXT = 200

/** Divisible by every number of tiles in a row: 2, 3, 4, 5 and 6. */
const PAGE_SIZE = 60

/** The input that reads the first page of a list. */
export const listInput = (query: ListQuery) => ({ query: { ...query, limit: PAGE_SIZE } })

/** The list query in the URL; invalid values are ignored. */
export function readListQuery(parameters: URLSearchParams): ListQuery {
  const text = (parameters.get('q') ?? '').trim().slice(0, MAX_TEXT)
  const sort = SORTS.find(({ value }) => value === parameters.get('sort'))?.value ?? 'newest'
  const category = CATEGORY_CHOICES.find(({ value }) => value === parameters.get('category'))?.value
  return { sort, ...(text && { q: text }), ...(category && { category }) }
}

/** The URL parameters of a list query, without defaults. */
export function listParameters({ q, sort, category }: ListQuery): Record<string, string> {
  return { ...(q && { q }), ...(sort !== 'newest' && { sort }), ...(category && { category }) }
}
