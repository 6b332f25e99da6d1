import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type GridPlace, type GridRow, nearestPlace, placeAfterKey } from './grid-focus.ts'

const ARROWS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

/** What a button of the grid is given to take part in its focus. */
export type GridStop = (
  rowId: string,
  blockId: string | null,
  atMs: number,
) => {
  'data-place': string
  tabIndex: 0 | -1
  onKeyDown: (event: KeyboardEvent) => void
  onFocus: () => void
  onBlur: (event: FocusEvent) => void
}

const placeName = (rowId: string, blockId: string | null): string => `${rowId}/${blockId ?? ''}`

/**
 * One tab stop for the whole grid (WAI-ARIA authoring practices, "Grid"): arrows move inside it, and out of it where
 * it ends. When what had the focus is gone, after an edit or when the hour turns, the nearest block has it.
 */
export function useGridFocus(
  grid: RefObject<HTMLElement | null>,
  rows: readonly GridRow[],
  start: GridPlace,
): GridStop {
  const [wanted, setWanted] = useState(start)
  const place = nearestPlace(rows, wanted) ?? wanted
  const name = placeName(place.rowId, place.blockId)
  const hadFocus = useRef(false)

  const focus = (target: string) => {
    const element = grid.current?.querySelector<HTMLElement>(`[data-place="${CSS.escape(target)}"]`)
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  useLayoutEffect(() => {
    const lost = !document.activeElement || document.activeElement === document.body
    if (hadFocus.current && lost) focus(name)
  })
  const begin = useEffectEvent(() => focus(name))
  useEffect(() => {
    // A frame later the dialog around the grid has taken the focus from where it goes back to in the end.
    const frame = requestAnimationFrame(() => begin())
    return () => cancelAnimationFrame(frame)
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    if (!ARROWS.has(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    const next = placeAfterKey(rows, place, event.key)
    if (next) {
      setWanted(next)
      focus(placeName(next.rowId, next.blockId))
    }
    // Up and down lead out of the grid; sideways there is nothing beside it.
    if (next || event.key === 'ArrowLeft' || event.key === 'ArrowRight') event.preventDefault()
  }
  const onBlur = (event: FocusEvent) => {
    // A focused element that is removed blurs to nothing: that is the loss we mend.
    if (event.relatedTarget !== null) hadFocus.current = false
  }
  return (rowId, blockId, atMs) => {
    const ownName = placeName(rowId, blockId)
    return {
      'data-place': ownName,
      tabIndex: ownName === name ? 0 : -1,
      onKeyDown,
      onBlur,
      onFocus: () => {
        hadFocus.current = true
        setWanted((known) =>
          placeName(known.rowId, known.blockId) === ownName ? known : { rowId, blockId, atMs },
        )
      },
    }
  }
}
