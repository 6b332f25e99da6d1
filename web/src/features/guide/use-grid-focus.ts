import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react'
import { type GridPosition, type GridRow, nearestPosition, positionAfterKey } from './grid-focus.ts'
import { placeName, placeOf } from './grid-place.ts'

const ARROWS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

/** Handlers for the element that contains the grid: the buttons have none of their own. */
interface GridHandlers {
  onKeyDown: (event: KeyboardEvent) => void
  onFocus: (event: FocusEvent) => void
  onBlur: (event: FocusEvent) => void
}

/**
 * One tab stop for the whole grid (WAI-ARIA authoring practices, "Grid"): arrows move inside it, and leave it at its
 * edge. If the focused block disappears, after an edit or at the turn of the hour, the nearest one is focused. `wanted` is
 * the last focused position; the returned one is where the tab stop is now.
 */
export function useGridFocus(
  grid: RefObject<HTMLElement | null>,
  rows: readonly GridRow[],
  wanted: GridPosition,
  onMove: (position: GridPosition) => void,
): { position: GridPosition; handlers: GridHandlers } {
  const position = nearestPosition(rows, wanted) ?? wanted
  const name = placeName(position)
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
    if (!placeOf(event.target)) return
    const next = positionAfterKey(rows, position, event.key)
    if (next) {
      onMove(next)
      focus(placeName(next))
    }
    // Up and down leave the grid at its edge; left and right do not.
    if (next || event.key === 'ArrowLeft' || event.key === 'ArrowRight') event.preventDefault()
  }
  const onFocus = ({ target }: FocusEvent) => {
    const place = placeOf(target)
    if (!place) return
    hadFocus.current = true
    if (placeName(place) === name) return
    const blocks = rows.find(({ id }) => id === place.rowId)?.blocks
    const startsAtMs = blocks?.find(({ id }) => id === place.blockId)?.startsAtMs
    onMove({ ...place, atMs: startsAtMs ?? position.atMs })
  }
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    // If the focused element was removed, the related target is null: then the focus is restored.
    if (relatedTarget !== null) hadFocus.current = false
  }
  return { position, handlers: { onKeyDown, onFocus, onBlur } }
}
