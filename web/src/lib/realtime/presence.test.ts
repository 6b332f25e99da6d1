import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editorsIn, mergeEditing, othersEditing } from './presence.ts'

const mara = { userId: 'u1', name: 'Mara', keys: ['playlist:jazz'] }
const nils = { userId: 'u2', name: 'Nils', keys: ['theme', 'playlist:jazz'] }

test('each other editor is named once, and the own user in another tab is not', () => {
  const all = editorsIn({ a: [mara, mara], b: [nils], c: [{ ...mara, userId: 'me', name: 'Me' }] })
  expect(othersEditing(all, 'playlist:jazz', 'me')).toEqual(['Mara', 'Nils'])
  expect(othersEditing(all, 'theme', 'me')).toEqual(['Nils'])
  expect(othersEditing(all, 'playlist:rock', 'me')).toEqual([])
})

test('a page that edits in two places is one entry', () => {
  expect(mergeEditing([])).toEqual([])
  expect(mergeEditing([mara, { ...mara, keys: ['theme'] }])).toEqual([
    { ...mara, keys: ['playlist:jazz', 'theme'] },
  ])
})

test('only short texts of known fields are read from presence', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.array(fc.anything())), (state) => {
      for (const { userId, name, keys } of editorsIn(state)) {
        expect([userId, name, ...keys].every((text) => text.length <= 120)).toBe(true)
        expect(keys.length).toBeLessThanOrEqual(5)
      }
    }),
  )
  expect(editorsIn({ a: [null, 7, {}, { ...mara, keys: 'theme' }, { ...mara, name: '' }] })).toEqual([])
  expect(editorsIn({ a: [{ ...mara, name: 'x'.repeat(500) }] })[0]?.name).toHaveLength(120)
})
