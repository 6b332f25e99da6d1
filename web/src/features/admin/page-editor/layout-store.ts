import { type PageElement, type PageId, readLayout } from './layout.ts'

const keyOf = (page: PageId): string => `looptide-page-layout:${page}`

/** The layout of a page as it was saved in this browser; none if there is none, or no storage. */
export function loadLayout(page: PageId): PageElement[] {
  try {
    return readLayout(localStorage.getItem(keyOf(page)))
  } catch {
    return []
  }
}

/** Keeps the layout in this browser; answers whether that was possible (the storage may be full, or denied). */
export function saveLayout(page: PageId, elements: readonly PageElement[]): boolean {
  try {
    if (elements.length === 0) localStorage.removeItem(keyOf(page))
    else localStorage.setItem(keyOf(page), JSON.stringify(elements))
    return true
  } catch {
    return false
  }
}
