import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { CATEGORIES, type Category, PLAYLIST_CATEGORY } from '../admin/categories.ts'
import { useTags } from './api.ts'
import { SORTS, type Sort } from './sorts.ts'

export type Filter = 'all' | Category | typeof PLAYLIST_CATEGORY

const FILTERS: readonly { value: Filter; label: string }[] = [
  { value: 'all', label: 'All Categories' },
  ...[...CATEGORIES, PLAYLIST_CATEGORY].map((value) => ({ value, label: value })),
]

/** Whether a text from the address is a filter of this release. */
export const isFilter = (text: string): text is Filter => FILTERS.some(({ value }) => value === text)

/** Search field, sort order, filters and saved filters of the library. */
export function LibraryTools(props: {
  text: string
  onText: (text: string) => void
  sort: Sort
  onSort: (sort: Sort) => void
  filter: Filter
  onFilter: (filter: Filter) => void
  /** Empty: all. */
  tag: string
  onTag: (tag: string) => void
  onSavedFilters: () => void
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
      <SelectField
        label="Filter by tag"
        isLabelHidden
        choices={useTagChoices(props.tag)}
        value={props.tag}
        onChange={props.onTag}
      />
      <Button icon="list" onClick={props.onSavedFilters}>
        Saved filters
      </Button>
    </search>
  )
}

/** All tags of the library, and the chosen one even if no video has it. */
function useTagChoices(chosen: string): { value: string; label: string }[] {
  const tags = useTags()
  const counted = tags.map(({ tag, videoCount }) => ({ value: tag, label: `${tag} (${videoCount})` }))
  const isKnown = chosen === '' || tags.some(({ tag }) => tag === chosen)
  return [
    { value: '', label: 'All Tags' },
    ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
    ...counted.sort((a, b) => a.value.localeCompare(b.value)),
  ]
}
