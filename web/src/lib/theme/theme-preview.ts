import type { ThemeBody } from '@looptide/contracts/http/themes'
import { useSyncExternalStore } from 'react'

let preview: ThemeBody | null = null
const listeners = new Set<() => void>()

/** Applies an unsaved theme to this page; null returns to the station's. */
export function previewTheme(theme: ThemeBody | null): void {
  preview = theme
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The previewed theme, if there is one. */
export const useThemePreview = (): ThemeBody | null => useSyncExternalStore(subscribe, () => preview)
