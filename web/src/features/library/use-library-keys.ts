import type { RefObject } from 'react'
import { usePageKeys } from '../../lib/keys/page-keys.ts'

interface KeyHandlers {
  onSelect: (videoId: string, isRange: boolean) => void
  onEdit: (videoId: string) => void
}

/** Keys of the library: to the next and the previous row, to the search field, and what the focused row can do. */
export function useLibraryKeys(
  panel: RefObject<HTMLElement | null>,
  { onSelect, onEdit }: KeyHandlers,
): void {
  const withRow = (act: (videoId: string) => void) => () => {
    const videoId = rowsIn(panel.current).find(hasFocus)?.dataset.video
    if (videoId !== undefined) act(videoId)
  }
  usePageKeys({
    title: 'Video Library',
    keys: [
      { keys: 'j', label: 'Next video', run: () => step(panel.current, 1) },
      { keys: 'k', label: 'Previous video', run: () => step(panel.current, -1) },
      { keys: 'x', label: 'Select the video', run: withRow((videoId) => onSelect(videoId, false)) },
      {
        keys: 'X',
        label: 'Select up to the video, with Shift',
        run: withRow((videoId) => onSelect(videoId, true)),
      },
      { keys: 'e', label: 'Edit the video', run: withRow(onEdit) },
      {
        keys: '/',
        label: 'Search the library',
        run: () => panel.current?.querySelector<HTMLElement>('input[type="search"]')?.focus(),
      },
    ],
  })
}

const rowsIn = (panel: HTMLElement | null) => [
  ...(panel?.querySelectorAll<HTMLElement>('[data-video]') ?? []),
]
const hasFocus = (row: HTMLElement): boolean => row.contains(document.activeElement)

function step(panel: HTMLElement | null, by: 1 | -1): void {
  const rows = rowsIn(panel)
  const current = rows.findIndex(hasFocus)
  const next = current < 0 ? firstVisible(rows) : rows[current + by]
  next?.querySelector('input')?.focus()
}

/** The first row that is not scrolled out of the list above; rows around the visible ones are rendered as well. */
function firstVisible(rows: readonly HTMLElement[]): HTMLElement | undefined {
  const top = rows[0]?.closest('table')?.parentElement?.getBoundingClientRect().top ?? 0
  return rows.find((row) => row.getBoundingClientRect().top >= top)
}
