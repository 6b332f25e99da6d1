import { SelectField } from '../../../ui/select-field.tsx'
import { CATEGORIES, type Category, PLAYLIST_CATEGORY } from './categories.ts'

const SORTS = [
  { value: 'newest', label: 'Newest First' },
  { value: 'title', label: 'Title A-Z' },
  { value: 'artist', label: 'Artist A-Z' },
] as const
export type Sort = (typeof SORTS)[number]['value']

export type Filter = 'all' | Category | typeof PLAYLIST_CATEGORY

const FILTERS: readonly { value: Filter; label: string }[] = [
  { value: 'all', label: 'All Categories' },
  ...[...CATEGORIES, PLAYLIST_CATEGORY].map((value) => ({ value, label: value })),
]

export const isSort = (text: string): text is Sort => SORTS.some(({ value }) => value === text)
export const isFilter = (text: string): text is Filter => FILTERS.some(({ value }) => value === text)

/** Search field, sort order and category filter of the library. */
export function LibraryTools(props: {
  text: string
  onText: (text: string) => void
  sort: Sort
  onSort: (sort: Sort) => void
  filter: Filter
  onFilter: (filter: Filter) => void
}) {
  return (
    <search className="flex flex-wrap gap-2 *:flex-auto">
      <input
        type="search"
        aria-label="Search the library"
        placeholder="Search videos, artists, genres..."
        maxLength={200}
        value={props.text}
        onChange={(event) => props.onText(event.target.value)}
        className="field w-auto min-w-0 basis-64"
      />
      <SelectField label="Sort" isLabelHidden choices={SORTS} value={props.sort} onChange={props.onSort} />
      <SelectField
        label="Filter by category"
        isLabelHidden
        choices={FILTERS}
        value={props.filter}
        onChange={props.onFilter}
      />
    </search>
  )
}
