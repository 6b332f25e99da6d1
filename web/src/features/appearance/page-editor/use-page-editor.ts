import { useEffect, useReducer } from 'react'
import { randomId } from '../../../lib/browser/random-id.ts'
import { toast } from '../../../ui/toast.ts'
import { drafts, useDrafts } from '../../admin/drafts/account-drafts.ts'
import { type EditorAction, type EditorState, edit, isChanged, openEditor } from './editor-state.ts'
import {
  type ElementType,
  isSameLayout,
  MAX_ELEMENTS,
  PAGES,
  type PageElement,
  type PageId,
} from './layout.ts'
import {
  keepLayoutDraft,
  layoutDraftKey,
  loadLayout,
  onLayoutSaved,
  readLayoutDraft,
  saveLayout,
} from './layout-draft.ts'

/** What the pointer and the arrow keys do: select elements, or move and resize them. */
export type EditorTool = 'select' | 'drag'

type Editors = Record<PageId, EditorState>

/**
 * Editor states with their undo history, kept while other pages are shown. Unsaved layouts also survive a reload, as
 * drafts.
 */
let kept: Editors | undefined

function openPage(page: PageId): EditorState {
  const stored = loadLayout(page)
  const known = kept?.[page] ?? openEditor(stored)
  // The draft may have been saved or discarded elsewhere since.
  const elements = readLayoutDraft(page) ?? stored
  const isSame = isSameLayout(known.elements, elements)
  return { ...known, saved: stored, ...(isSame ? {} : { elements, past: [], future: [], selectedId: null }) }
}

const openAll = (): Editors => ({
  home: openPage('home'),
  live: openPage('live'),
  search: openPage('search'),
  control: openPage('control'),
})

function editPage(editors: Editors, { page, action }: { page: PageId; action: EditorAction }): Editors {
  const next = edit(editors[page], action)
  return next === editors[page] ? editors : { ...editors, [page]: next }
}

/** The layout of one page and the actions on it, each confirmed with a toast (docs/product/admin.md §8). */
export function usePageEditor(page: PageId) {
  const [editors, send] = useReducer(editPage, undefined, openAll)
  const state = editors[page]
  const dispatch = (action: EditorAction) => send({ page, action })
  const restoredKeys = useDrafts().restored
  useEffect(() => {
    kept = editors
    keepDrafts(editors)
  }, [editors])
  useEffect(() => onLayoutSaved((saved) => send(storedAction(saved))), [])

  const add = (type: ElementType) => {
    if (state.elements.length >= MAX_ELEMENTS) {
      toast({
        title: 'Error',
        description: `A page can have at most ${MAX_ELEMENTS} elements.`,
        tone: 'error',
      })
      return
    }
    dispatch({ kind: 'add', type, id: randomId() })
    toast({ title: 'Element Added', tone: 'success' })
  }
  const showDeleted = (title: string, elements: readonly PageElement[]) =>
    toast({
      title,
      tone: 'success',
      action: { label: 'Undo', onPress: () => dispatch({ kind: 'restore', elements }) },
    })
  const remove = (element: PageElement) => {
    dispatch({ kind: 'delete', id: element.id })
    showDeleted('Element Deleted', [element])
  }
  const reset = () => {
    dispatch({ kind: 'reset' })
    showDeleted('Layout Reset', state.elements)
  }
  const save = () => {
    if (!saveLayout(page, state.elements)) {
      toast({ title: 'Error', description: 'Failed to save page layout', tone: 'error' })
      return
    }
    toast({ title: 'Layout Saved', description: 'Saved in this browser.', tone: 'success' })
  }
  return {
    state,
    dispatch,
    add,
    remove,
    reset,
    save,
    discard: () => dispatch({ kind: 'discard' }),
    hasChanges: isChanged(state),
    isRestored: restoredKeys.has(layoutDraftKey(page)),
  }
}

export type PageEditorState = ReturnType<typeof usePageEditor>

const storedAction = (page: PageId): { page: PageId; action: EditorAction } => ({
  page,
  action: { kind: 'stored', elements: loadLayout(page) },
})

/** Stores unsaved layouts as drafts, and removes the drafts of saved ones. */
function keepDrafts(editors: Editors): void {
  for (const { value: page } of PAGES) {
    if (isChanged(editors[page])) keepLayoutDraft(page, editors[page].elements)
    else drafts.remove(layoutDraftKey(page))
  }
}
