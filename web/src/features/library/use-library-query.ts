import type { VideoFilter } from '@looptide/contracts/http/video-filters'
import { useState } from 'react'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { useSectionSettings } from '../admin/section-settings.ts'
import { type Filter, isFilter } from './library-tools.tsx'
import { type Sort, sortNamed, sortOf } from './sorts.ts'

const SEARCH_DEBOUNCE_MS = 250

/**
 * The values of the search and filter controls, and the query they make. Sort, filters and hidden columns are stored in
 * this browser.
 */
export function useLibraryQuery() {
  const [settings, setSettings] = useSectionSettings('video-library', {
    sort: 'newest',
    filter: 'all',
    tag: '',
    hiddenColumns: '',
  })
  const { value, sort, reverse } = sortNamed(settings.sort)
  const filter = isFilter(settings.filter) ? settings.filter : 'all'
  const category = filter === 'all' ? undefined : filter
  const tag = settings.tag === '' ? undefined : settings.tag
  const [text, setText] = useState('')
  const searched = useDebounced(text.trim(), SEARCH_DEBOUNCE_MS)
  return {
    query: { text: searched, sort, reverse, category, tag },
    isFiltered: searched !== '' || category !== undefined || tag !== undefined,
    /** The current controls as a filter to be saved. */
    filter: {
      ...{ text: text.trim(), sort, category: category ?? null, tag: tag ?? null },
      ...(reverse && { reverse }),
    } satisfies VideoFilter,
    apply: (saved: VideoFilter) => {
      setText(saved.text)
      setSettings({ sort: sortOf(saved).value, filter: saved.category ?? 'all', tag: saved.tag ?? '' })
    },
    hiddenColumns: new Set(settings.hiddenColumns.split(',')),
    onHideColumns: (hidden: ReadonlySet<string>) => setSettings({ hiddenColumns: [...hidden].join(',') }),
    tools: {
      text,
      onText: setText,
      sort: value,
      onSort: (chosen: Sort) => setSettings({ sort: chosen }),
      filter,
      onFilter: (chosen: Filter) => setSettings({ filter: chosen }),
      tag: settings.tag,
      onTag: (chosen: string) => setSettings({ tag: chosen }),
    },
  }
}
