import { expect, it } from 'vitest'
import { initialsOf } from './channel-logo.tsx'

it.each([
  ['Test Card', 'TC'],
  ['Night and Day', 'ND'],
  ['looptide', 'l'],
  ['Rock & Soul', 'RS'],
  ['24/7 Live Stream', 'LS'],
  ['1999', '1'],
  ['東京 ラジオ', '東ラ'],
  ['🎸', '🎸'],
  ['', '?'],
])('shortens the name %j to %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
