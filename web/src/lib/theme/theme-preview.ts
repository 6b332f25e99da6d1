import type { ThemeBody } from '@looptide/contracts/http/admin'
import { useSyncExternalStore } from 'react'

let preview: ThemeBody | null = null
const listeners = new Set<() => void>()

/** Draws this page in a theme that is not saved; null goes back to the station's. */
export function previewTheme(theme: ThemeBody | null): void {
  preview = theme
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The theme that is being tried, if any. */
export const useThemePreview = (): ThemeBody | null => useSyncExternalStore(subscribe, () => preview)
