import type { VideoFilter } from '@looptide/contracts/http/video-filters'
import { useState } from 'react'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { useSectionSettings } from '../admin/section-settings.ts'
import { isFilter } from './library-tools.tsx'
import { isSort } from './sorts.ts'

const SEARCH_DEBOUNCE_MS = 250

/** The values of the search and filter controls, and the query they make. Sort and filters are stored in this browser. */
export function useLibraryQuery() {
  const [settings, setSettings] = useSectionSettings('video-library', {
    sort: 'newest',
    filter: 'all',
    tag: '',
  })
  const sort = isSort(settings.sort) ? settings.sort : 'newest'
  const filter = isFilter(settings.filter) ? settings.filter : 'all'
  const category = filter === 'all' ? undefined : filter
  const tag = settings.tag === '' ? undefined : settings.tag
  const [text, setText] = useState('')
  const searched = useDebounced(text.trim(), SEARCH_DEBOUNCE_MS)
  return {
    query: { text: searched, sort, category, tag },
    isFiltered: searched !== '' || category !== undefined || tag !== undefined,
    /** The current controls as a filter to be saved. */
    filter: { text: text.trim(), sort, category: category ?? null, tag: tag ?? null } satisfies VideoFilter,
    apply: (saved: VideoFilter) => {
      setText(saved.text)
      setSettings({ sort: saved.sort, filter: saved.category ?? 'all', tag: saved.tag ?? '' })
    },
    tools: {
      text,
      onText: setText,
      sort,
      onSort: (value: typeof sort) => setSettings({ sort: value }),
      filter,
      onFilter: (value: typeof filter) => setSettings({ filter: value }),
      tag: settings.tag,
      onTag: (value: string) => setSettings({ tag: value }),
    },
  }
}
