import { HANDLE_PATTERN } from '@looptide/contracts/http/users'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { handleStem } from './handle-stem.ts'

it.each([
  ['Ada Lovelace', 'ada_lovelace'],
  ['  Zoë  Ümlaut ', 'zoe_umlaut'],
  ['日本', 'viewer'],
  ['', 'viewer'],
  [undefined, 'viewer'],
  [{ evil: true }, 'viewer'],
  ['A very long name that goes on and on', 'a_very_long_name_tha'],
])('turns the name %j into the stem %s', (name, stem) => {
  expect(handleStem(name)).toBe(stem)
})

it('turns any name into a valid handle', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 1000, max: 999_999_999 }),
      (name, number) => {
        expect(`${handleStem(name)}_${number}`).toMatch(new RegExp(HANDLE_PATTERN))
      },
    ),
  )
})
