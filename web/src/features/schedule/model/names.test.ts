import { expect, test } from 'vitest'
import { newId, newName, toName } from './names.ts'

test.each([
  ['Friday Night Gold', 'Friday-Night-Gold'],
  ['  Café & Späti! ', 'Cafe-Spati'],
  ['-_x_-', 'x'],
  ['日本', ''],
  [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
])('%j as a name of the document is %j', (text, name) => {
  expect(toName(text)).toBe(name)
})

test('an id is made from the title, and differs from those in use', () => {
  expect(newId('Friday Gold', [])).toBe('friday-gold')
  expect(newId('Friday Gold', [{ id: 'friday-gold' }, { id: 'friday-gold-2' }])).toBe('friday-gold-3')
  expect(newId('日本', [])).toBe('item')
})

test('the name of a source differs from those in use, and from the request queue', () => {
  expect(newName('Some Band', ['Other'])).toBe('Some-Band')
  expect(newName('Some Band', ['Some-Band'])).toBe('Some-Band-2')
  expect(newName('requests', [])).toBe('requests-2')
  expect(newName('votes', [])).toBe('votes-2')
  expect(newName('日本', [])).toBe('source')
})
