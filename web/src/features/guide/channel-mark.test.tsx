import { expect, it } from 'vitest'
import { initialsOf } from './channel-mark.tsx'

it.each([
  ['Rock Classics', 'RC'],
  ['24/7 Live Stream', 'LS'],
  ['The Planned Channel', 'TP'],
  ['“Indie”', 'I'],
  ['90s', '9'],
  ['Ünder ground', 'ÜG'],
  ['…', ''],
])('the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
