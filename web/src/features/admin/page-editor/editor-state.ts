import {
  type ElementChange,
  type ElementType,
  isSameLayout,
  newElement,
  type PageElement,
  piled,
  tidy,
} from './layout.ts'

const MOST_STEPS = 100

/** The elements from the back to the front, what is chosen, and the steps that can be taken back and again. */
export type EditorState = {
  elements: readonly PageElement[]
  selectedId: string | null
  past: readonly (readonly PageElement[])[]
  future: readonly (readonly PageElement[])[]
  /** What the last step was part of, e.g. one drag: its further steps are taken back together with it. */
  gesture: string | null
  /** As stored in this browser. */
  saved: readonly PageElement[]
}

export type EditorAction =
  | { kind: 'add'; type: ElementType; id: string }
  | { kind: 'delete'; id: string }
  /** Puts back what was deleted, where it lay in the pile. */
  | { kind: 'restore'; elements: readonly PageElement[] }
  | { kind: 'change'; id: string; change: ElementChange; gesture?: string }
  | { kind: 'pile'; id: string; by: 1 | -1 }
  | { kind: 'select'; id: string | null }
  | { kind: 'reset' }
  | { kind: 'undo' }
  | { kind: 'redo' }
  /** Back to what is stored, as a step. */
  | { kind: 'discard' }
  /** What is stored in this browser now. */
  | { kind: 'stored'; elements: readonly PageElement[] }

export const openEditor = (elements: readonly PageElement[]): EditorState => ({
  elements,
  selectedId: null,
  past: [],
  future: [],
  gesture: null,
  saved: elements,
})

/** Whether there is something to save. */
export const isChanged = ({ elements, saved }: EditorState): boolean =>
  elements !== saved && !isSameLayout(elements, saved)

/** What the editor becomes by an action; one that changes nothing answers the same state. */
export function edit(state: EditorState, action: EditorAction): EditorState {
  const { elements } = state
  switch (action.kind) {
    case 'add': {
      const element = newElement(action.type, action.id, elements.length)
      return { ...step(state, [...elements, element]), selectedId: element.id }
    }
    case 'delete': {
      const rest = elements.filter(({ id }) => id !== action.id)
      return rest.length === elements.length ? state : step(state, piled(rest))
    }
    case 'change': {
      const next = elements.map((element) =>
        element.id === action.id ? changed(element, action.change) : element,
      )
      return isSame(elements, next) ? state : step(state, next, action.gesture)
    }
    case 'pile':
      return pile(state, action.id, action.by)
    case 'select':
      return settle({ ...state, selectedId: action.id })
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
  return step(state, piled(elements))
}

/** One element further to the front (1) or to the back (-1). */
function pile(state: EditorState, id: string, by: 1 | -1): EditorState {
  const from = state.elements.findIndex((element) => element.id === id)
  const to = from + by
  const moved = state.elements[from]
  if (!moved || to < 0 || to >= state.elements.length) return state
  return step(state, piled(state.elements.toSpliced(from, 1).toSpliced(to, 0, moved)))
}

function undo(state: EditorState): EditorState {
  const before = state.past.at(-1)
  if (!before) return state
  return settle({
    ...state,
    elements: before,
    past: state.past.slice(0, -1),
    future: [state.elements, ...state.future],
  })
}

function redo(state: EditorState): EditorState {
  const [after, ...future] = state.future
  if (!after) return state
  return settle({ ...state, elements: after, past: [...state.past, state.elements], future })
}

/** A step forward; one of the same gesture as the last is part of it. */
function step(
  state: EditorState,
  elements: readonly PageElement[],
  gesture: string | null = null,
): EditorState {
  const isPart = gesture !== null && gesture === state.gesture
  const past = isPart ? state.past : [...state.past, state.elements].slice(-MOST_STEPS)
  return { ...settle({ ...state, elements, past, future: [] }), gesture }
}

/** What is gone is chosen no longer; what comes next is a step of its own. */
function settle(state: EditorState): EditorState {
  const isThere = state.elements.some(({ id }) => id === state.selectedId)
  return { ...state, selectedId: isThere ? state.selectedId : null, gesture: null }
}

function changed(element: PageElement, { styles, ...fields }: ElementChange): PageElement {
  return tidy({ ...element, ...fields, styles: { ...element.styles, ...styles } })
}

const isSame = (before: readonly PageElement[], after: readonly PageElement[]): boolean =>
  JSON.stringify(before) === JSON.stringify(after)
