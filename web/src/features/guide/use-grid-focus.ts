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
import { type GridPosition, type GridRow, nearestPosition, positionAfterKey } from './grid-focus.ts'

const ARROWS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

/** The props of a button in the grid. */
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
 * One tab stop for the whole grid (WAI-ARIA authoring practices, "Grid"): arrows move inside it, and leave it at its
 * edge. If the focused block disappears, after an edit or at the turn of the hour, the nearest one is focused.
 */
export function useGridFocus(
  grid: RefObject<HTMLElement | null>,
  rows: readonly GridRow[],
  start: GridPosition,
): GridStop {
  const [wanted, setWanted] = useState(start)
  const place = nearestPosition(rows, wanted) ?? wanted
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
    // In the next frame, after the dialog has stored the element to restore the focus to.
    const frame = requestAnimationFrame(() => begin())
    return () => cancelAnimationFrame(frame)
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    if (!ARROWS.has(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    const next = positionAfterKey(rows, place, event.key)
    if (next) {
      setWanted(next)
      focus(placeName(next.rowId, next.blockId))
    }
    // Up and down leave the grid at its edge; left and right do not.
    if (next || event.key === 'ArrowLeft' || event.key === 'ArrowRight') event.preventDefault()
  }
  const onBlur = (event: FocusEvent) => {
    // If the focused element was removed, the related target is null: then the focus is restored.
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
