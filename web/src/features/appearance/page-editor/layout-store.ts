import { type PageElement, type PageId, readLayout } from './layout.ts'

const listeners = new Set<(page: PageId) => void>()

/** Calls `listener` after each save of a layout, until the returned function is called. */
export function onLayoutSaved(listener: (page: PageId) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const keyOf = (page: PageId): string => `looptide-page-layout:${page}`

/** Loads the layout of a page from this browser; empty if none is stored or storage is not available. */
export function loadLayout(page: PageId): PageElement[] {
  try {
    return readLayout(localStorage.getItem(keyOf(page)))
  } catch {
    return []
  }
}

/** Stores the layout in this browser; returns false if the storage is full or denied. */
export function saveLayout(page: PageId, elements: readonly PageElement[]): boolean {
  try {
    if (elements.length === 0) localStorage.removeItem(keyOf(page))
    else localStorage.setItem(keyOf(page), JSON.stringify(elements))
    for (const listener of listeners) listener(page)
    return true
  } catch {
    return false
  }
}
