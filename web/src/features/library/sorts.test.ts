import { expect, it } from 'vitest'
import { afterHeadClick, sortOf } from './sorts.ts'

it('the head of a column sorts by it, and reverses the order at the next click', () => {
  expect(afterHeadClick({ sort: 'newest' }, 'title').value).toBe('title')
  expect(afterHeadClick({ sort: 'title' }, 'title').value).toBe('title-reverse')
  expect(afterHeadClick({ sort: 'title', reverse: true }, 'title').value).toBe('title')
  expect(afterHeadClick({ sort: 'newest' }, 'newest').value).toBe('oldest')
  expect(sortOf({ sort: 'duration', reverse: true }).label).toBe('Longest First')
})
