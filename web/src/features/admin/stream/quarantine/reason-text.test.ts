import { expect, it } from 'vitest'
import { reasonText } from './reason-text.ts'

it.each([
  ['player error 150', 'Its owner does not allow it to be shown here. (error 150)'],
  ['player error 999', 'player error 999'],
  ['something else', 'something else'],
  ['', 'Reason unknown'],
])('tells %j in words', (reason, text) => {
  expect(reasonText(reason)).toBe(text)
})
