import type { Video } from '@looptide/contracts/http/videos'
import { useRef, useState } from 'react'
import { tellFailure } from '../desk/tell-failure.ts'
import { afterPress, type Selection, withoutRows } from './selection.ts'

/** The selected videos of the library. They may be more than those that are loaded. */
export function useSelection() {
  const [selected, setSelected] = useState<Selection>(new Set())
  const [isSelecting, setSelecting] = useState(false)
  const lastPressed = useRef<string | null>(null)

  return {
    selected,
    isSelecting,
    clear: () => setSelected(new Set()),
    drop: (videoIds: readonly string[]) => setSelected((known) => withoutRows(known, videoIds)),
    /** A press on a row; with `isRange` on all rows from the one pressed before. */
    press: (videos: readonly Video[] | undefined, id: string, isRange: boolean) => {
      const rows = videos?.map((video) => video.id) ?? []
      const from = isRange ? lastPressed.current : null
      setSelected((known) => afterPress(known, rows, id, from))
      lastPressed.current = id
    },
    selectAll: async (everyId: () => Promise<string[]>) => {
      setSelecting(true)
      try {
        setSelected(new Set(await everyId()))
      } catch (failure) {
        tellFailure(failure, { title: 'Error loading videos', text: 'Please try again.' })
      } finally {
        setSelecting(false)
      }
    },
  }
}
