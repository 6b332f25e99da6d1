import fc from 'fast-check'
import { expect, it } from 'vitest'
import { afterClick, withoutRows } from './selection.ts'

const rows = ['a', 'b', 'c', 'd', 'e']

it('rows stay in the order in which they were selected', () => {
  const chosen = ['c', 'a', 'e'].reduce(
    (selection, id) => afterClick(selection, rows, id, null),
    new Set<string>() as ReadonlySet<string>,
  )
  expect([...chosen]).toEqual(['c', 'a', 'e'])
})

it('a range is selected from the previously clicked row to the clicked one', () => {
  expect([...afterClick(new Set(['d']), rows, 'b', 'd')]).toEqual(['d', 'c', 'b'])
  expect([...afterClick(new Set(rows), rows, 'c', 'b')]).toEqual(['a', 'd', 'e'])
  expect([...afterClick(new Set(), rows, 'c', 'gone')]).toEqual(['c'])
})

it('only the range changes, and a second click undoes the first', () => {
  const ids = fc.constantFrom(...rows)
  fc.assert(
    fc.property(fc.uniqueArray(ids), ids, fc.option(ids), (start, clicked, from) => {
      const before = new Set(start)
      const after = afterClick(before, rows, clicked, from)
      const places = [rows.indexOf(from ?? clicked), rows.indexOf(clicked)]
      const range = rows.slice(Math.min(...places), Math.max(...places) + 1)
      for (const id of rows) {
        expect(after.has(id)).toBe(range.includes(id) ? !before.has(clicked) : before.has(id))
      }
      const twice = afterClick(afterClick(before, rows, clicked, null), rows, clicked, null)
      expect(new Set(twice)).toEqual(before)
    }),
  )
})

it('rows that no longer exist are deselected', () => {
  const selection = new Set(['a', 'b', 'c'])
  expect([...withoutRows(selection, ['a', 'c', 'd'])]).toEqual(['b'])
  expect(withoutRows(selection, ['d'])).toBe(selection)
})
