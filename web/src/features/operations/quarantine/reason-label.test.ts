import { expect, it } from 'vitest'
import { reasonLabel } from './reason-label.ts'

it.each([
  ['player error 150', 'The owner does not allow embedding (error 150).'],
  ['player error 999', 'player error 999'],
  ['something else', 'something else'],
  ['', 'Unknown reason'],
])('the label of %j is %j', (reason, text) => {
  expect(reasonLabel(reason)).toBe(text)
})
