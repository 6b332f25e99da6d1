import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  blockAt,
  type GridPosition,
  type GridRow,
  nearestPosition,
  positionAfterKey,
  positionAt,
} from './grid-focus.ts'

const row = (id: string, ...lengths: number[]): GridRow => {
  let atMs = 0
  return {
    id,
    blocks: lengths.map((length) => {
      const block = { id: `${id}${atMs}`, startsAtMs: atMs, endsAtMs: atMs + length }
      atMs += length
      return block
    }),
  }
}
const rows = [row('a', 60, 60, 60), row('b', 20, 100, 60), row('c'), row('d', 180)]
const at = (rowId: string, blockId: string | null, atMs = 0): GridPosition => ({ rowId, blockId, atMs })

it('moves in time along a row, and to the button before it', () => {
  expect(positionAfterKey(rows, at('a', 'a0'), 'ArrowRight')).toEqual(at('a', 'a60', 60))
  expect(positionAfterKey(rows, at('a', 'a60', 60), 'ArrowLeft')).toEqual(at('a', 'a0', 0))
  expect(positionAfterKey(rows, at('a', 'a0'), 'ArrowLeft')).toEqual(at('a', null))
  expect(positionAfterKey(rows, at('a', null), 'ArrowRight')).toEqual(at('a', 'a0'))
  expect(positionAfterKey(rows, at('a', null), 'ArrowLeft')).toBeUndefined()
  expect(positionAfterKey(rows, at('a', 'a120', 120), 'ArrowRight')).toBeUndefined()
})

it('moves between channels at the same instant, skipping empty rows', () => {
  let place = at('a', 'a60', 60)
  const walked = ['b', 'c', 'd'].map(() => {
    place = positionAfterKey(rows, place, 'ArrowDown')!
    return place.blockId
  })
  expect(walked).toEqual(['b20', null, null])
  expect(positionAfterKey(rows, at('b', 'b20', 60), 'ArrowUp')).toEqual(at('a', 'a60', 60))
  expect(positionAfterKey(rows, at('a', 'a0'), 'ArrowUp')).toBeUndefined()
})

it('begins at what is on at an instant, on the first channel if the wanted one is missing', () => {
  expect(nearestPosition(rows, positionAt('b', 30))).toEqual(at('b', 'b20', 30))
  expect(nearestPosition(rows, positionAt('gone', 70))).toEqual(at('a', 'a60', 70))
  expect(nearestPosition(rows, positionAt('c', 30))).toEqual(at('c', null, 30))
})

it('always returns an existing position, for any rows', () => {
  const grids = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.array(fc.integer({ min: 1, max: 90 }))))
  fc.assert(
    fc.property(grids, grids, fc.nat(), (before, after, pick) => {
      const unique = (list: typeof before) => [...new Map(list)].map(([id, lengths]) => row(id, ...lengths))
      const [was, is] = [unique(before), unique(after)]
      const places = was.flatMap(({ id, blocks }) => [
        at(id, null),
        ...blocks.map((block) => at(id, block.id, block.startsAtMs)),
      ])
      if (places.length === 0) return
      const place = nearestPosition(is, places[pick % places.length]!)
      expect(place === undefined).toBe(is.length === 0)
      if (is.length === 0) return
      const found = is.find(({ id }) => id === place!.rowId)!
      expect([null, ...found.blocks.map(({ id }) => id)]).toContain(place!.blockId)
    }),
  )
})

it('finds the block at an instant, or the last one', () => {
  expect(blockAt(rows[0]!, 59)).toBe('a0')
  expect(blockAt(rows[0]!, 60)).toBe('a60')
  expect(blockAt(rows[0]!, 999)).toBe('a120')
  expect(blockAt(rows[2]!, 0)).toBeNull()
})
