import type { ThemeBody } from '@looptide/contracts/http/themes'
import { useSyncExternalStore } from 'react'

const KEY = 'looptide-local-theme'

/** A theme that could not be saved on the server, and the server's theme that it replaces. */
interface LocalTheme {
  theme: ThemeBody
  insteadOf: ThemeBody
}

const listeners = new Set<() => void>()
let kept: LocalTheme | null | undefined

function read(): LocalTheme | null {
  if (kept !== undefined) return kept
  try {
    kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as LocalTheme | null
  } catch {
    kept = null
  }
  return kept
}

function write(local: LocalTheme | null): void {
  kept = local
  try {
    if (local) localStorage.setItem(KEY, JSON.stringify(local))
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage it lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

/** Saves a theme in this browser only, until the station's theme changes (docs/product/admin.md §4). */
export const keepThemeHere = (theme: ThemeBody, insteadOf: ThemeBody): void => write({ theme, insteadOf })

/** Removes the theme saved in this browser, so that the server's is shown again. */
export function forgetLocalTheme(): void {
  if (read()) write(null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The theme saved in this browser while it replaces the server's; null otherwise. */
export function useLocalTheme(station: ThemeBody | undefined): ThemeBody | null {
  const local = useSyncExternalStore(subscribe, read)
  if (!local || !station) return null
  return isSameTheme(local.insteadOf, station) ? local.theme : null
}

/** Whether all values of two themes are equal. */
export function isSameTheme(a: ThemeBody, b: ThemeBody): boolean {
  return (Object.keys(a) as (keyof ThemeBody)[]).every((name) => a[name] === b[name])
}
