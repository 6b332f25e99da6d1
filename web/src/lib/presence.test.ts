import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editorsIn, joinEditing, othersEditing } from './presence.ts'

const mara = { userId: 'u1', name: 'Mara', keys: ['playlist:jazz'] }
const nils = { userId: 'u2', name: 'Nils', keys: ['theme', 'playlist:jazz'] }

test('the others who edit the same are named once, and oneself in another tab is not', () => {
  const all = editorsIn({ a: [mara, mara], b: [nils], c: [{ ...mara, userId: 'me', name: 'Me' }] })
  expect(othersEditing(all, 'playlist:jazz', 'me')).toEqual(['Mara', 'Nils'])
  expect(othersEditing(all, 'theme', 'me')).toEqual(['Nils'])
  expect(othersEditing(all, 'playlist:rock', 'me')).toEqual([])
})

test('a page that edits in two places is one entry', () => {
  expect(joinEditing([])).toEqual([])
  expect(joinEditing([mara, { ...mara, keys: ['theme'] }])).toEqual([
    { ...mara, keys: ['playlist:jazz', 'theme'] },
  ])
})

test('whatever another page sends, only short texts of known fields are taken over', () => {
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
