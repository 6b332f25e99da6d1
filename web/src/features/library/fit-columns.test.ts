import { expect, it } from 'vitest'
import { fitColumns } from './fit-columns.ts'

const COLUMNS = [
  { id: 'picture', minPx: 60, rank: 3 },
  { id: 'title', minPx: 160, rank: 0 },
  { id: 'artist', minPx: 100, rank: 2 },
  { id: 'tags', minPx: 20, rank: 4 },
  { id: 'state', minPx: 100, rank: 1 },
]
const names = (widthPx: number, hidden: readonly string[] = []) =>
  fitColumns(COLUMNS, widthPx, new Set(hidden)).map(({ id }) => id)

it('columns are shown in one order, the most important ones as far as they fit', () => {
  expect(names(10)).toEqual(['title'])
  expect(names(410)).toEqual(['title', 'state'])
  expect(names(1_000)).toEqual(['picture', 'title', 'artist', 'tags', 'state'])
})

it('a column that does not fit is not replaced by a less important one that would', () => {
  expect(names(550)).toEqual(['title', 'artist', 'state'])
})

it('a hidden column leaves its room to the next one', () => {
  expect(names(410, ['state'])).toEqual(['title', 'artist'])
})
