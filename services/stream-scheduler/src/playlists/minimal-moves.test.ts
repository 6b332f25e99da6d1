import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minimalMoves } from './minimal-moves.ts'

const lists = fc
  .uniqueArray(fc.integer({ min: 0, max: 100_000 }), { maxLength: 60 })
  .map((positions) => positions.map((position, index) => ({ id: `item ${index}`, position })))

test('the moves bring the list into the requested order', () => {
  fc.assert(
    fc.property(lists, (items) => {
      const moved = new Map(minimalMoves(items).map(({ id, position }) => [id, position]))
      const sorted = items
        .map(({ id, position }) => ({ id, position: moved.get(id) ?? position }))
        .toSorted((a, b) => a.position - b.position)
      expect(sorted.map(({ id }) => id)).toEqual(items.map(({ id }) => id))
      expect(new Set(sorted.map(({ position }) => position)).size).toBe(items.length)
    }),
  )
})

test('a list that is already in order needs no moves', () => {
  fc.assert(
    fc.property(lists, (list) => {
      expect(minimalMoves(list.toSorted((a, b) => a.position - b.position))).toEqual([])
    }),
  )
})

test('dragging one item of ten thousand moves one row', () => {
  const list = Array.from({ length: 10_000 }, (_, index) => ({ id: `${index}`, position: index * 1024 }))
  const [dragged] = list.splice(17, 1)
  list.splice(9000, 0, dragged!)
  expect(minimalMoves(list).map(({ id }) => id)).toEqual(['17'])
})
