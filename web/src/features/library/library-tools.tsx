import { useState } from 'react'
import { numberText } from '../../lib/count-text.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
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

interface Tools {
  text: string
  onText: (text: string) => void
  sort: Sort
  onSort: (sort: Sort) => void
  filter: Filter
  onFilter: (filter: Filter) => void
  /** Empty: all. */
  tag: string
  onTag: (tag: string) => void
}

/**
 * Search field and filters of the library. If `isNarrow`, a button opens all but the first, with the sort
 * order that the heads of the table's columns choose otherwise.
 */
export function LibraryTools(props: Tools & { isNarrow: boolean }) {
  const { isNarrow } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <search
      className={classNames(
        'flex min-w-0 flex-wrap gap-2',
        isNarrow ? 'order-1 basis-full' : 'flex-1 basis-160 @max-[70rem]:order-1 @max-[70rem]:basis-full',
      )}
    >
      <input
        type="search"
        aria-label="Search the library"
        aria-keyshortcuts="/"
        placeholder="Search videos, artists, genres..."
        maxLength={200}
        value={props.text}
        onChange={(event) => props.onText(event.target.value)}
        className={classNames('field w-auto min-w-0 flex-1', isNarrow ? 'basis-40' : 'basis-72')}
      />
      {isNarrow && (
        <Button icon={isOpen ? 'up' : 'down'} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filters
        </Button>
      )}
      {(!isNarrow || isOpen) && <Filters {...props} />}
    </search>
  )
}

function Filters(props: Tools & { isNarrow: boolean }) {
  return (
    <>
      {props.isNarrow && (
        <SelectField
          label="Sort"
          isLabelHidden
          choices={SORTS}
          value={props.sort}
          onChange={props.onSort}
          className={FILTER}
        />
      )}
      <SelectField
        label="Filter by category"
        isLabelHidden
        choices={FILTERS}
        value={props.filter}
        onChange={props.onFilter}
        className={FILTER}
      />
      <SelectField
        label="Filter by tag"
        isLabelHidden
        choices={useTagChoices(props.tag)}
        value={props.tag}
        onChange={props.onTag}
        className={FILTER}
      />
    </>
  )
}

const FILTER = 'min-w-0 flex-auto basis-44 sm:max-w-52'

/** All tags of the library, and the chosen one even if no video has it. */
function useTagChoices(chosen: string): { value: string; label: string }[] {
  const tags = useTags()
  const counted = tags.map(({ tag, videoCount }) => ({
    value: tag,
    label: `${tag} (${numberText(videoCount)})`,
  }))
  const isKnown = chosen === '' || tags.some(({ tag }) => tag === chosen)
  return [
    { value: '', label: 'All Tags' },
    ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
    ...counted.sort((a, b) => a.value.localeCompare(b.value)),
  ]
}
