import { expect, it } from 'vitest'
import { filterText, isSameFilter } from './filter-text.ts'

const FILTER = { text: 'live', category: 'Classics', tag: 'rock', sort: 'title' } as const
const EVERYTHING = { text: '', category: null, tag: null, sort: 'newest' } as const

it('a filter is described by its parts', () => {
  expect(filterText(FILTER)).toBe('“live” • Classics • tag rock • Title A-Z')
  expect(filterText(EVERYTHING)).toBe('Newest First')
})

it('filters are compared by their parts, tags without case', () => {
  expect(isSameFilter(FILTER, { ...FILTER, tag: 'Rock' })).toBe(true)
  expect(isSameFilter(FILTER, { ...FILTER, text: '' })).toBe(false)
  expect(isSameFilter(EVERYTHING, { ...EVERYTHING, tag: 'rock' })).toBe(false)
})
