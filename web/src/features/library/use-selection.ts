import type { Video } from '@looptide/contracts/http/videos'
import { useRef, useState } from 'react'
import { afterClick, type Selection, withoutRows } from '../admin/selection.ts'
import { showFailure } from '../admin/show-failure.ts'

/** The selected videos of the library, which may include videos that are not loaded. */
export function useSelection() {
  const [selected, setSelected] = useState<Selection>(new Set())
  const [isSelecting, setSelecting] = useState(false)
  const lastClicked = useRef<string | null>(null)

  return {
    selected,
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
    selectAll: async (fetchAllIds: () => Promise<string[]>) => {
      setSelecting(true)
      try {
        setSelected(new Set(await fetchAllIds()))
      } catch (failure) {
        showFailure(failure, { title: 'Error loading videos', text: 'Please try again.' })
      } finally {
        setSelecting(false)
      }
    },
  }
}
