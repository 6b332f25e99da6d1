import {
  type ElementChange,
  type ElementType,
  isSameLayout,
  newElement,
  normalizeElement,
  type PageElement,
  withStackOrder,
} from './layout.ts'

const MAX_UNDO_STEPS = 100

/** Editor state: the elements from back to front, the selected one, and the undo and redo history. */
export interface EditorState {
  elements: readonly PageElement[]
  selectedId: string | null
  past: readonly (readonly PageElement[])[]
  future: readonly (readonly PageElement[])[]
  /** Gesture of the last step, e.g. one drag. Further steps of it are undone together with it. */
  gesture: string | null
  /** The layout as stored in this browser. */
  saved: readonly PageElement[]
}

export type EditorAction =
  | { kind: 'add'; type: ElementType; id: string }
  | { kind: 'delete'; id: string }
  /** Restores deleted elements at their stack positions. */
  | { kind: 'restore'; elements: readonly PageElement[] }
  | { kind: 'change'; id: string; change: ElementChange; gesture?: string }
  | { kind: 'restack'; id: string; by: 1 | -1 }
  | { kind: 'select'; id: string | null }
  | { kind: 'reset' }
  | { kind: 'undo' }
  | { kind: 'redo' }
  /** Returns to the stored layout, as an undoable step. */
  | { kind: 'discard' }
  /** The layout was stored in this browser. */
  | { kind: 'stored'; elements: readonly PageElement[] }

/** The state of an editor that shows a saved layout. */
export const openEditor = (elements: readonly PageElement[]): EditorState => ({
  elements,
  selectedId: null,
  past: [],
  future: [],
  gesture: null,
  saved: elements,
})

/** Whether there are unsaved changes. */
export const isChanged = ({ elements, saved }: EditorState): boolean =>
  elements !== saved && !isSameLayout(elements, saved)

/** Applies an action. Returns the same state if the action changes nothing. */
export function edit(state: EditorState, action: EditorAction): EditorState {
  const { elements } = state
  switch (action.kind) {
    case 'add': {
      const element = newElement(action.type, action.id, elements.length)
      return { ...step(state, [...elements, element]), selectedId: element.id }
    }
    case 'delete': {
      const rest = elements.filter(({ id }) => id !== action.id)
      return rest.length === elements.length ? state : step(state, withStackOrder(rest))
    }
    case 'change': {
      const next = elements.map((element) =>
        element.id === action.id ? changed(element, action.change) : element,
      )
      return isSame(elements, next) ? state : step(state, next, action.gesture)
    }
    case 'restack':
      return restack(state, action.id, action.by)
    case 'select':
      return endGesture({ ...state, selectedId: action.id })
    case 'restore':
      return restore(state, action.elements)
    case 'reset':
      return elements.length === 0 ? state : step(state, [])
    case 'undo':
      return undo(state)
    case 'redo':
      return redo(state)
    case 'discard':
      return isChanged(state) ? step(state, state.saved) : state
    case 'stored':
      return { ...state, saved: action.elements, gesture: null }
  }
}

function restore(state: EditorState, deleted: readonly PageElement[]): EditorState {
  const missing = deleted.filter(({ id }) => !state.elements.some((element) => element.id === id))
  if (missing.length === 0) return state
  const elements = missing.reduce<readonly PageElement[]>(
    (all, element) => all.toSpliced(element.zIndex - 1, 0, element),
    state.elements,
  )
  return step(state, withStackOrder(elements))
}

/** Moves an element one step to the front (1) or to the back (-1). */
function restack(state: EditorState, id: string, by: 1 | -1): EditorState {
  const from = state.elements.findIndex((element) => element.id === id)
  const to = from + by
  const moved = state.elements[from]
  if (!moved || to < 0 || to >= state.elements.length) return state
  return step(state, withStackOrder(state.elements.toSpliced(from, 1).toSpliced(to, 0, moved)))
}

function undo(state: EditorState): EditorState {
  const before = state.past.at(-1)
  if (!before) return state
  return endGesture({
    ...state,
    elements: before,
    past: state.past.slice(0, -1),
    future: [state.elements, ...state.future],
  })
}

function redo(state: EditorState): EditorState {
  const [after, ...future] = state.future
  if (!after) return state
  return endGesture({ ...state, elements: after, past: [...state.past, state.elements], future })
}

/** Adds an undo step. A step of the same gesture as the last one extends it. */
function step(
  state: EditorState,
  elements: readonly PageElement[],
  gesture: string | null = null,
): EditorState {
  const isSameGesture = gesture !== null && gesture === state.gesture
  const past = isSameGesture ? state.past : [...state.past, state.elements].slice(-MAX_UNDO_STEPS)
  return { ...endGesture({ ...state, elements, past, future: [] }), gesture }
}

/** Deselects a removed element and ends the current gesture. */
function endGesture(state: EditorState): EditorState {
  const exists = state.elements.some(({ id }) => id === state.selectedId)
  return { ...state, selectedId: exists ? state.selectedId : null, gesture: null }
}

function changed(element: PageElement, { styles, ...fields }: ElementChange): PageElement {
  return normalizeElement({ ...element, ...fields, styles: { ...element.styles, ...styles } })
}

const isSame = (before: readonly PageElement[], after: readonly PageElement[]): boolean =>
  JSON.stringify(before) === JSON.stringify(after)
