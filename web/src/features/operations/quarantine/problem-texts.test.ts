import { expect, it, test } from 'vitest'
import { countriesText, errorsText, reasonLabel } from './problem-texts.ts'

test('names countries with their viewers', () => {
  const countries = [
    { country: 'DE', viewers: 12 },
    { country: 'AT', viewers: 3 },
    { country: null, viewers: 1 },
  ]
  expect(countriesText(countries)).toBe('Germany (12 viewers), Austria (3), unknown country (1)')
  expect(countriesText([{ country: 'BR', viewers: 1 }])).toBe('Brazil (1 viewer)')
})

test('names each kind of error once', () => {
  const countries = [{ errorCodes: [150] }, { errorCodes: [100, 150] }]
  expect(errorsText(countries)).toBe(
    'The owner does not allow embedding (error 150). It was removed or made private (error 100).',
  )
})

it.each([
  ['player error 150', 'The owner does not allow embedding (error 150).'],
  ['player error 999', 'player error 999'],
  ['something else', 'something else'],
  ['', 'Unknown reason'],
])('the label of %j is %j', (reason, text) => {
  expect(reasonLabel(reason)).toBe(text)
})
