import { type RefObject, useEffect, useEffectEvent } from 'react'
import { focusKindOf } from '../../lib/remote/remote-keys.ts'
import { backLayers } from '../../ui/back-layers.ts'

interface KeyHandlers {
  onSelect: (videoId: string, isRange: boolean) => void
  onEdit: (videoId: string) => void
}

/** What has keys of its own for letters. */
const TYPED = new Set(['text', 'textarea', 'number', 'picker', 'datetime'])

/**
 * Keys of the library, wherever the focus is outside fields and dialogs: J and K go to the next and previous row, X
 * selects the row (with Shift all rows since the last one), E edits it, and / goes to the search field.
 */
export function useLibraryKeys(panel: RefObject<HTMLElement | null>, handlers: KeyHandlers): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (TYPED.has(focusKindOf(document.activeElement)) || backLayers.count() > 0) return
    if (panel.current && act(event, panel.current, handlers)) event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

/** Performs the action of a key. Returns false if it has none. */
function act(event: KeyboardEvent, panel: HTMLElement, { onSelect, onEdit }: KeyHandlers): boolean {
  const key = event.key.toLowerCase()
  if (key === '/') {
    panel.querySelector<HTMLElement>('input[type="search"]')?.focus()
    return true
  }
  const rows = [...panel.querySelectorAll<HTMLElement>('[data-video]')]
  const current = rows.findIndex((row) => row.contains(document.activeElement))
  if (key === 'j' || key === 'k') {
    const next = current < 0 ? firstVisible(rows) : rows[current + (key === 'j' ? 1 : -1)]
    next?.querySelector('input')?.focus()
    return true
  }
  const videoId = rows[current]?.dataset.video
  if (videoId === undefined) return false
  if (key === 'x') onSelect(videoId, event.shiftKey)
  else if (key === 'e') onEdit(videoId)
  else return false
  return true
}

/** The first row that is not scrolled out of the list above; rows around the visible ones are rendered as well. */
function firstVisible(rows: readonly HTMLElement[]): HTMLElement | undefined {
  const top = rows[0]?.closest('table')?.parentElement?.getBoundingClientRect().top ?? 0
  return rows.find((row) => row.getBoundingClientRect().top >= top)
}
