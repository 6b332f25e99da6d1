import fc from 'fast-check'
import { expect, it } from 'vitest'
import { differingFields, editBody, mergeFields, type VideoFields } from './video-fields.ts'

const BASE: VideoFields = {
  title: 'Song',
  artistName: 'Band',
  genre: '',
  category: 'Classics',
  thumbnailUrl: '/a.jpg',
  tags: 'Rock',
  startAt: '',
  endAt: '',
}

it('only changed fields are sent, trimmed', () => {
  expect(editBody(BASE, { ...BASE })).toBeUndefined()
  expect(editBody(BASE, { ...BASE, title: ' Song ' })).toBeUndefined()
  expect(editBody(BASE, { ...BASE, title: 'Another ', genre: 'Pop', thumbnailUrl: ' ' })).toEqual({
    title: 'Another',
    genre: 'Pop',
    thumbnailUrl: null,
  })
})

it('tags and trim points are sent as lists and milliseconds', () => {
  const form = { ...BASE, tags: 'Rock, Live', startAt: '0:10.5', endAt: '1:00' }
  expect(editBody(BASE, form)).toEqual({ tags: ['Rock', 'Live'], startAtMs: 10_500, endAtMs: 60_000 })
  expect(editBody(form, BASE)).toEqual({ tags: ['Rock'], startAtMs: 0, endAtMs: null })
})

it('a merge keeps the fields the admin edited and takes the others from the latest version', () => {
  const mine = { ...BASE, title: 'Mine', genre: 'Pop' }
  const theirs = { ...BASE, title: 'Theirs', artistName: 'Other Band', genre: 'Pop' }
  expect(mergeFields(BASE, mine, theirs)).toEqual({
    values: { ...BASE, title: 'Mine', artistName: 'Other Band', genre: 'Pop' },
    theirs: ['title', 'artistName', 'genre'],
    conflicts: ['title'],
  })
})

const fields = fc.record({
  title: fc.constantFrom('a', 'b', 'c'),
  artistName: fc.constantFrom('a', 'b', 'c'),
  genre: fc.constantFrom('', 'b', 'c'),
  category: fc.constantFrom('Classics', 'Must Watch'),
  thumbnailUrl: fc.constantFrom('', '/b', '/c'),
  tags: fc.constantFrom('', 'b', 'b, c'),
  startAt: fc.constant(''),
  endAt: fc.constant(''),
})

it('saving a merged form changes exactly the edited fields that differ from the latest version', () => {
  fc.assert(
    fc.property(fields, fields, fields, (base, form, latest) => {
      const merged = mergeFields(base, form, latest)
      const own = differingFields(base, form)
      expect(Object.keys(editBody(latest, merged.values) ?? {}).sort()).toEqual(
        own.filter((field) => form[field] !== latest[field]).sort(),
      )
      expect(merged.conflicts.every((field) => own.includes(field))).toBe(true)
    }),
  )
})
