import { paths } from '../../../lib/paths.ts'
import { toast } from '../../../ui/toast.ts'
import { drafts } from '../../admin/drafts/account-drafts.ts'
import type { Draft } from '../../admin/drafts/draft-store.ts'
import { isSameLayout, PAGES, type PageElement, type PageId, readLayout } from './layout.ts'

const PREFIX = 'page-layout:'
/** The key of a page's layout among the unsaved drafts. */
export const layoutDraftKey = (page: PageId): string => PREFIX + page

/** Stores the unsaved layout of a page as a draft. */
export function keepLayoutDraft(page: PageId, elements: readonly PageElement[]): void {
  const key = layoutDraftKey(page)
  const name = PAGES.find(({ value }) => value === page)?.label ?? page
  const known = readLayoutDraft(page)
  if (known && isSameLayout(known, elements)) return
  drafts.put({ key, kind: 'page-layout', label: `${name} layout`, path: paths.pageEditor(), value: elements })
}

/** The unsaved layout of a page, if there is one. */
export function readLayoutDraft(page: PageId): PageElement[] | undefined {
  const draft = drafts.find(layoutDraftKey(page))
  return draft && readLayout(JSON.stringify(draft.value))
}

/** Saves a layout draft in this browser and shows a toast; rejects if the browser cannot store it. */
export async function saveLayoutDraft({ key, value }: Draft): Promise<void> {
  const page = PAGES.find((known) => layoutDraftKey(known.value) === key)?.value
  if (page && !saveLayout(page, readLayout(JSON.stringify(value)))) {
    toast({ title: 'Error', description: 'Failed to save page layout', tone: 'error' })
    throw new Error('The browser did not store the layout')
  }
  drafts.remove(key)
  toast({ title: 'Layout Saved', description: 'Saved in this browser.', tone: 'success' })
}

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
