import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type EditorAction, type EditorState, edit, isChanged, openEditor } from './editor-state.ts'
import { ELEMENT_TYPES, readLayout, tidy } from './layout.ts'

/** An action as chance would have it; `pick` chooses among what is there. */
const wish = fc.record({
  kind: fc.constantFrom('add', 'delete', 'change', 'pile', 'select', 'reset', 'undo', 'redo', 'stored'),
  pick: fc.nat(20),
  by: fc.constantFrom(1, -1),
  amount: fc.integer({ min: -2_000, max: 2_000 }),
  type: fc.constantFrom(...ELEMENT_TYPES),
})
type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never
const actionOf = (
  state: EditorState,
  { kind, pick, by, amount, type }: Wish,
  index: number,
): EditorAction => {
  const id = state.elements[pick % Math.max(1, state.elements.length)]?.id ?? 'nobody'
  switch (kind) {
    case 'add':
      return { kind, type, id: `element-${index}` }
    case 'change':
      return { kind, id, change: { x: amount, width: amount, styles: { fontSize: amount } } }
    case 'pile':
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
/** Every state on the way. */
function run(wishes: readonly Wish[]): EditorState[] {
  let state = openEditor([])
  const states = [state]
  for (const [index, each] of wishes.entries()) {
    state = edit(state, actionOf(state, each, index))
    states.push(state)
  }
  return states
}

it('whatever is done, the elements are tidy, piled from 1 on, each once, and what is chosen is there', () => {
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 40 }), (wishes) => {
      for (const { elements, selectedId } of run(wishes)) {
        expect(elements.map(tidy)).toEqual(elements)
        expect(elements.map(({ zIndex }) => zIndex)).toEqual(elements.map((_, index) => index + 1))
        expect(new Set(elements.map(({ id }) => id)).size).toBe(elements.length)
        if (selectedId !== null) expect(elements.map(({ id }) => id)).toContain(selectedId)
      }
    }),
  )
})

it('every step can be taken back to the very beginning, and again to where one was', () => {
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 30 }), (wishes) => {
      const last = run(wishes).at(-1) as EditorState
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

it('what was deleted comes back where it lay, and what came since stays', () => {
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

it('a drag is one step, however many movements it had', () => {
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

it('there is something to save until it is saved, or what was done is taken back', () => {
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
