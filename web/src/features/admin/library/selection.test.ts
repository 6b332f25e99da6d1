import fc from 'fast-check'
import { expect, it } from 'vitest'
import { afterPress, withoutRows } from './selection.ts'

const rows = ['a', 'b', 'c', 'd', 'e']

it('keeps the order in which rows were chosen', () => {
  const chosen = ['c', 'a', 'e'].reduce(
    (selection, id) => afterPress(selection, rows, id, null),
    new Set<string>() as ReadonlySet<string>,
  )
  expect([...chosen]).toEqual(['c', 'a', 'e'])
})

it('chooses a run of rows, in the direction of going', () => {
  expect([...afterPress(new Set(['d']), rows, 'b', 'd')]).toEqual(['d', 'c', 'b'])
  expect([...afterPress(new Set(rows), rows, 'c', 'b')]).toEqual(['a', 'd', 'e'])
  expect([...afterPress(new Set(), rows, 'c', 'gone')]).toEqual(['c'])
})

it('changes nothing but the run, and a second press undoes a single one', () => {
  const ids = fc.constantFrom(...rows)
  fc.assert(
    fc.property(fc.uniqueArray(ids), ids, fc.option(ids), (start, pressed, from) => {
      const before = new Set(start)
      const after = afterPress(before, rows, pressed, from)
      const places = [rows.indexOf(from ?? pressed), rows.indexOf(pressed)]
      const run = rows.slice(Math.min(...places), Math.max(...places) + 1)
      for (const id of rows) {
        expect(after.has(id)).toBe(run.includes(id) ? !before.has(pressed) : before.has(id))
      }
      const twice = afterPress(afterPress(before, rows, pressed, null), rows, pressed, null)
      expect(new Set(twice)).toEqual(before)
    }),
  )
})

it('forgets rows that are gone', () => {
  const selection = new Set(['a', 'b', 'c'])
  expect([...withoutRows(selection, ['a', 'c', 'd'])]).toEqual(['b'])
  expect(withoutRows(selection, ['d'])).toBe(selection)
})
