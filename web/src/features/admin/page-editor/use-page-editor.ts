import { useEffect, useReducer } from 'react'
import { randomId } from '../../../lib/random-id.ts'
import { toast } from '../../../ui/toast.ts'
import { type EditorAction, type EditorState, edit, isChanged, openEditor } from './editor-state.ts'
import { type ElementType, MAX_ELEMENTS, PAGES, type PageElement, type PageId } from './layout.ts'
import { loadLayout, saveLayout } from './layout-store.ts'

/** What pointer and arrow keys do: choose elements, or move and resize them. */
export type EditorTool = 'select' | 'drag'

type Editors = Record<PageId, EditorState>

/** What is not saved yet outlives a walk to another page of the app, though not a reload. */
let kept: Editors | undefined

const openAll = (): Editors =>
  kept ?? {
    home: openEditor(loadLayout('home')),
    live: openEditor(loadLayout('live')),
    search: openEditor(loadLayout('search')),
    control: openEditor(loadLayout('control')),
  }

function editPage(editors: Editors, { page, action }: { page: PageId; action: EditorAction }): Editors {
  const next = edit(editors[page], action)
  return next === editors[page] ? editors : { ...editors, [page]: next }
}

/** The layout of one page with all that is done to it, told in the words of the admin specification, §8. */
export function usePageEditor(page: PageId) {
  const [editors, send] = useReducer(editPage, undefined, openAll)
  const state = editors[page]
  const dispatch = (action: EditorAction) => send({ page, action })
  const hasUnsaved = PAGES.some(({ value }) => isChanged(editors[value]))
  useEffect(() => {
    kept = editors
  }, [editors])
  useEffect(() => {
    if (!hasUnsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [hasUnsaved])

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
    dispatch({ kind: 'saved' })
    toast({ title: 'Layout Saved', description: 'Kept in this browser.', tone: 'success' })
  }
  return { state, dispatch, add, remove, reset, save, hasChanges: isChanged(state) }
}

export type PageEditorState = ReturnType<typeof usePageEditor>
