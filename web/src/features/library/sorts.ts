import type { VideoSort } from '@looptide/contracts/http/videos'

interface Order {
  sort: VideoSort
  /** The opposite of the order that `sort` names. */
  reverse?: boolean | undefined
}

/** Sort orders of the library list. `value` is stored in the browser. */
export const SORTS = [
  { value: 'newest', label: 'Newest First', sort: 'newest', reverse: false },
  { value: 'oldest', label: 'Oldest First', sort: 'newest', reverse: true },
  { value: 'title', label: 'Title A-Z', sort: 'title', reverse: false },
  { value: 'title-reverse', label: 'Title Z-A', sort: 'title', reverse: true },
  { value: 'artist', label: 'Artist A-Z', sort: 'artist', reverse: false },
  { value: 'artist-reverse', label: 'Artist Z-A', sort: 'artist', reverse: true },
  { value: 'genre', label: 'Genre A-Z', sort: 'genre', reverse: false },
  { value: 'genre-reverse', label: 'Genre Z-A', sort: 'genre', reverse: true },
  { value: 'category', label: 'Category A-Z', sort: 'category', reverse: false },
  { value: 'category-reverse', label: 'Category Z-A', sort: 'category', reverse: true },
  { value: 'shortest', label: 'Shortest First', sort: 'duration', reverse: false },
  { value: 'longest', label: 'Longest First', sort: 'duration', reverse: true },
  { value: 'most-liked', label: 'Most Liked', sort: 'mostLiked', reverse: false },
] as const satisfies readonly (Required<Order> & { value: string; label: string })[]
export type Sort = (typeof SORTS)[number]['value']

/** The sort order of a value from the browser's storage; newest first for one of another release. */
export const sortNamed = (value: string) => SORTS.find((known) => known.value === value) ?? SORTS[0]

/** The sort order that a query asks for. */
export const sortOf = ({ sort, reverse = false }: Order) =>
  SORTS.find((known) => known.sort === sort && known.reverse === reverse) ?? SORTS[0]

/** The order after a click on the head of a column: its own, or the opposite if it is the order already. */
export const afterHeadClick = (shown: Order, column: VideoSort) =>
  sortOf({ sort: column, reverse: shown.sort === column && !shown.reverse })
