import type { Video } from '@looptide/contracts/http/videos'
import { useRef, useState } from 'react'
import { useLossGuard } from '../../lib/browser/loss-guard.ts'
import { showFailure } from '../../lib/failures.ts'
import { afterClick, type Selection, withoutRows } from '../admin/selection.ts'
import { fetchAll, type LibraryQuery } from './api.ts'
import type { AllSelected } from './video-selection.ts'

/** The selected videos of the library, which may include videos that are not loaded. */
export function useLibrarySelection() {
  const [selected, setSelected] = useState<Selection>(new Set())
  const [all, setAll] = useState<AllSelected | null>(null)
  const [isSelecting, setSelecting] = useState(false)
  const lastClicked = useRef<string | null>(null)
  useLossGuard(selected.size > 0)

  return {
    selected,
    /** What Select All has selected last. */
    all,
    isSelecting,
    clear: () => setSelected(new Set()),
    deselect: (videoIds: readonly string[]) => setSelected((known) => withoutRows(known, videoIds)),
    /** Handles a click on a row. With `isRange`, all rows since the previously clicked one are affected. */
    select: (videos: readonly Video[] | undefined, id: string, isRange: boolean) => {
      const rows = videos?.map((video) => video.id) ?? []
      const from = isRange ? lastClicked.current : null
      setSelected((known) => afterClick(known, rows, id, from))
      lastClicked.current = id
    },
    selectAll: async (query: LibraryQuery) => {
      setSelecting(true)
      try {
        const found = await fetchAll(query)
        setAll(found)
        setSelected(found.ids)
      } catch (failure) {
        showFailure(failure, { title: 'Error loading videos', text: 'Please try again.' })
      } finally {
        setSelecting(false)
      }
    },
  }
}
