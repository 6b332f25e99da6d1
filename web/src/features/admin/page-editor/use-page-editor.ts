import { useEffect, useReducer } from 'react'
import { randomId } from '../../../lib/random-id.ts'
import { toast } from '../../../ui/toast.ts'
import { drafts } from '../drafts/account-drafts.ts'
import { useDrafts } from '../drafts/use-drafts.ts'
import { type EditorAction, type EditorState, edit, isChanged, openEditor } from './editor-state.ts'
import {
  type ElementType,
  isSameLayout,
  MAX_ELEMENTS,
  PAGES,
  type PageElement,
  type PageId,
} from './layout.ts'
import { keepLayoutDraft, layoutDraftKey, readLayoutDraft } from './layout-draft.ts'
import { loadLayout, onLayoutSaved, saveLayout } from './layout-store.ts'

/** What pointer and arrow keys do: choose elements, or move and resize them. */
export type EditorTool = 'select' | 'drag'

type Editors = Record<PageId, EditorState>

/** The undo history outlives a walk to another page of the app; what is not saved, being a draft, a reload as well. */
let kept: Editors | undefined

function openPage(page: PageId): EditorState {
  const stored = loadLayout(page)
  const known = kept?.[page] ?? openEditor(stored)
  // The draft may have been saved or discarded since.
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

/** The layout of one page with all that is done to it, told in the words of docs/product/admin.md §8. */
export function usePageEditor(page: PageId) {
  const [editors, send] = useReducer(editPage, undefined, openAll)
  const state = editors[page]
  const dispatch = (action: EditorAction) => send({ page, action })
  const restoredKeys = useDrafts().restored
  useEffect(() => {
    kept = editors
    for (const { value } of PAGES) {
      if (isChanged(editors[value])) keepLayoutDraft(value, editors[value].elements)
      else drafts.drop(layoutDraftKey(value))
    }
  }, [editors])
  useEffect(
    () =>
      onLayoutSaved((saved) =>
        send({ page: saved, action: { kind: 'stored', elements: loadLayout(saved) } }),
      ),
    [],
  )

  const add = (type: ElementType) => {
    if (state.elements.length >= MAX_ELEMENTS) {
      toast({
        title: 'Error',
        description: `A page holds ${MAX_ELEMENTS} elements at most.`,
        tone: 'error',
      })
      return
    }
    dispatch({ kind: 'add', type, id: randomId() })
    toast({ title: 'Element Added', tone: 'success' })
  }
  const tellDeleted = (title: string, elements: readonly PageElement[]) =>
    toast({
      title,
      tone: 'success',
      action: { label: 'Undo', onPress: () => dispatch({ kind: 'restore', elements }) },
    })
  const remove = (element: PageElement) => {
    dispatch({ kind: 'delete', id: element.id })
    tellDeleted('Element Deleted', [element])
  }
  const reset = () => {
    dispatch({ kind: 'reset' })
    tellDeleted('Layout Reset', state.elements)
  }
  const save = () => {
    if (!saveLayout(page, state.elements)) {
      toast({ title: 'Error', description: 'Failed to save page layout', tone: 'error' })
      return
    }
    toast({ title: 'Layout Saved', description: 'Kept in this browser.', tone: 'success' })
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
