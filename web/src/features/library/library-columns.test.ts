import { expect, it } from 'vitest'
import { columnsIn } from './library-columns.tsx'
import { afterHeadClick, sortOf } from './sorts.ts'

const names = (widthPx: number, hidden: readonly string[] = []) =>
  columnsIn(widthPx, new Set(hidden)).map(({ id }) => id)

it('columns are shown in one order, the most important ones as far as they fit', () => {
  expect(names(10)).toEqual(['title'])
  expect(names(430)).toEqual(['title', 'state'])
  expect(names(660)).toEqual(['title', 'artist', 'duration', 'state'])
  expect(names(2_000)).toHaveLength(10)
})

it('a hidden column leaves its room to the next one', () => {
  expect(names(670, ['state'])).toEqual(['title', 'artist', 'category', 'duration'])
})

it('the head of a column sorts by it, and reverses the order at the next click', () => {
  expect(afterHeadClick({ sort: 'newest' }, 'title').value).toBe('title')
  expect(afterHeadClick({ sort: 'title' }, 'title').value).toBe('title-reverse')
  expect(afterHeadClick({ sort: 'title', reverse: true }, 'title').value).toBe('title')
  expect(afterHeadClick({ sort: 'newest' }, 'newest').value).toBe('oldest')
  expect(sortOf({ sort: 'duration', reverse: true }).label).toBe('Longest First')
})
