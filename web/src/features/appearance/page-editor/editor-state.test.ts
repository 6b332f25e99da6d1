import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type EditorAction, type EditorState, edit, isChanged, openEditor } from './editor-state.ts'
import { ELEMENT_TYPES, normalizeElement, readLayout } from './layout.ts'

/** A random step; `pick` selects one of the existing elements. */
const step = fc.record({
  kind: fc.constantFrom('add', 'delete', 'change', 'restack', 'select', 'reset', 'undo', 'redo', 'stored'),
  pick: fc.nat(20),
  by: fc.constantFrom(1, -1),
  amount: fc.integer({ min: -2_000, max: 2_000 }),
  type: fc.constantFrom(...ELEMENT_TYPES),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
const actionOf = (
  state: EditorState,
  { kind, pick, by, amount, type }: Step,
  index: number,
): EditorAction => {
  const id = state.elements[pick % Math.max(1, state.elements.length)]?.id ?? 'missing'
  switch (kind) {
    case 'add':
      return { kind, type, id: `element-${index}` }
    case 'change':
      return { kind, id, change: { x: amount, width: amount, styles: { fontSize: amount } } }
    case 'restack':
      return { kind, id, by: by === 1 ? 1 : -1 }
    case 'delete':
    case 'select':
      return { kind, id }
    case 'stored':
      return { kind, elements: state.elements }
    default:
      return { kind }
  }
}
/** The states after each step. */
function run(steps: readonly Step[]): EditorState[] {
  let state = openEditor([])
  const states = [state]
  for (const [index, each] of steps.entries()) {
    state = edit(state, actionOf(state, each, index))
    states.push(state)
  }
  return states
}

it('after any steps, elements are within limits, stacked from 1 and unique, and the selected one exists', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      for (const { elements, selectedId } of run(steps)) {
        expect(elements.map(normalizeElement)).toEqual(elements)
        expect(elements.map(({ zIndex }) => zIndex)).toEqual(elements.map((_, index) => index + 1))
        expect(new Set(elements.map(({ id }) => id)).size).toBe(elements.length)
        if (selectedId !== null) expect(elements.map(({ id }) => id)).toContain(selectedId)
      }
    }),
  )
})

it('every step can be undone to the initial state, and redone', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const last = run(steps).at(-1) as EditorState
      let state = last
      while (state.past.length > 0) state = edit(state, { kind: 'undo' })
      expect(state.elements).toEqual([])
      while (state.future.length > 0) state = edit(state, { kind: 'redo' })
      while (last.future.length > 0 && state.past.length > last.past.length)
        state = edit(state, { kind: 'undo' })
      expect(state.elements).toEqual(last.elements)
    }),
  )
})

it('a restored element returns to its stack position, and elements added since stay', () => {
  const three = ['a', 'b', 'c'].reduce(
    (state, id) => edit(state, { kind: 'add', type: 'text', id }),
    openEditor([]),
  )
  const deleted = edit(three, { kind: 'delete', id: 'b' })
  const since = edit(deleted, { kind: 'add', type: 'image', id: 'd' })
  const back = edit(since, { kind: 'restore', elements: three.elements.slice(1, 2) })
  expect(back.elements.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  expect(edit(back, { kind: 'restore', elements: three.elements })).toBe(back)
  const all = edit(edit(three, { kind: 'reset' }), { kind: 'restore', elements: three.elements })
  expect(all.elements).toEqual(three.elements)
})

it('a drag is one undo step, however many movements it has', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(900), { minLength: 1, maxLength: 20 }), (movements) => {
      const start = edit(openEditor([]), { kind: 'add', type: 'text', id: 'a' })
      const dragged = movements.reduce(
        (state, x, index) =>
          edit(state, { kind: 'change', id: 'a', change: { x: x + index + 1_000 }, gesture: 'drag' }),
        start,
      )
      expect(edit(dragged, { kind: 'undo' }).elements).toEqual(start.elements)
    }),
  )
})

it('there are unsaved changes until they are saved, undone or discarded', () => {
  const opened = openEditor([])
  const added = edit(opened, { kind: 'add', type: 'button', id: 'a' })
  expect(
    [
      opened,
      added,
      edit(added, { kind: 'stored', elements: readLayout(JSON.stringify(added.elements)) }),
      edit(added, { kind: 'undo' }),
      edit(added, { kind: 'discard' }),
    ].map(isChanged),
  ).toEqual([false, true, false, false, false])
})
