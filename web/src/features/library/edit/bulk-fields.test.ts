import { expect, it } from 'vitest'
import { bulkFieldsOf, NO_CHANGES } from './bulk-fields.ts'

it('empty fields of a bulk edit are not sent', () => {
  expect(bulkFieldsOf(NO_CHANGES)).toEqual({})
  expect(bulkFieldsOf({ ...NO_CHANGES, artistName: '  ', genre: ' Jazz ' })).toEqual({ genre: 'Jazz' })
})

it('cleared fields of a bulk edit are sent as empty texts', () => {
  expect(bulkFieldsOf({ ...NO_CHANGES, artistName: null, genre: null, category: 'Classics' })).toEqual({
    artistName: '',
    genre: '',
    category: 'Classics',
  })
})

it('a blank text is not replaced in titles', () => {
  expect(bulkFieldsOf({ ...NO_CHANGES, titleText: ' ', titleWith: 'x' })).toEqual({})
  expect(bulkFieldsOf({ ...NO_CHANGES, titleText: ' - ', titleWith: ': ' })).toEqual({
    replaceInTitle: { text: ' - ', with: ': ' },
  })
})

it('tags of a bulk edit are sent as lists', () => {
  expect(bulkFieldsOf({ ...NO_CHANGES, addTags: 'Rock, Live', removeTags: 'old' })).toEqual({
    addTags: ['Rock', 'Live'],
    removeTags: ['old'],
  })
})
