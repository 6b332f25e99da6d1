import { expect, it } from 'vitest'
import { replaceInTitle } from './replace-in-title.ts'

it.each([
  ['Hello (Official Video)', '(official video)', '', 'Hello'],
  ['Hello [HD] Live', '[HD]', '', 'Hello Live'],
  ['a.b.c', '.', '$&', 'a$&b$&c'],
  ['Straße', 'STRASSE', 'Street', 'Straße'],
  ['Smoke on the Water', 'fire', 'ice', 'Smoke on the Water'],
  ['Loud', 'loud', 'LOUD', 'LOUD'],
])('in “%s”, “%s” becomes “%s”: “%s”', (title, text, by, result) => {
  expect(replaceInTitle(title, { text, with: by })).toBe(result)
})

it('a title stays if nothing or too much would be left, or if it is not known yet', () => {
  expect(replaceInTitle('Hello', { text: 'hello', with: ' ' })).toBeUndefined()
  expect(replaceInTitle('aaaa', { text: 'a', with: 'b'.repeat(100) })).toBeUndefined()
  expect(replaceInTitle('Loading...', { text: '.', with: '!' })).toBeUndefined()
})
