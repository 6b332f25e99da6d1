import { expect, test } from 'vitest'
import { countText, numberText } from './count-text.ts'

test('large numbers are grouped, alone and with a noun', () => {
  expect(numberText(4900)).toMatch(/^4\D900$/)
  expect(countText(4900, 'video')).toBe(`${numberText(4900)} videos`)
  expect(countText(1, 'video')).toBe('1 video')
  expect(countText(0, 'vote')).toBe('0 votes')
})
