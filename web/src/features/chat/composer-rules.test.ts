import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api/api-error.ts'
import {
  countdownText,
  cutToLimit,
  durationText,
  endText,
  remainingLength,
  restrictionText,
  retryAfterMs,
  sendFailureText,
} from './composer-rules.ts'

const refusal = (status: number, wait?: number) =>
  new ApiError({ status, code: 'x', message: 'm', retryAfterMs: wait })

describe('sendFailureText', () => {
  it('mentions a restriction after a refusal, and only the failure otherwise', () => {
    expect(sendFailureText(refusal(403))).toBe('Failed to send message. You may be restricted from chat.')
    for (const failure of [refusal(0), refusal(503), refusal(400), new Error('x')]) {
      expect(sendFailureText(failure)).toBe('Failed to send message.')
    }
  })

  it('reads the waiting time of a rate limit', () => {
    expect(retryAfterMs(refusal(429, 4200))).toBe(4200)
    expect(retryAfterMs(refusal(429))).toBe(1000)
    expect(retryAfterMs(refusal(503, 4200))).toBeUndefined()
  })
})

describe('remainingLength', () => {
  it.each([
    ['', 500, false],
    ['x'.repeat(399), 101, false],
    ['x'.repeat(400), 100, true],
    [`  ${'🎸'.repeat(500)}\n`, 0, true],
    ['x'.repeat(503), -3, true],
  ])('is counted as the server counts', (text, left, shown) => {
    expect(remainingLength(text)).toEqual({ left, shown })
  })
})

describe('cutToLimit', () => {
  it.each([
    ['fits', '', 'short', '', 'short', 0],
    ['is cut behind what is there', 'x'.repeat(300), 'y'.repeat(250), '', 'y'.repeat(200), 50],
    ['counts characters, not UTF-16 units', '', '🎸'.repeat(510), '🎸', '🎸'.repeat(499), 11],
    ['does not fit at all', 'x'.repeat(501), 'y', '', '', 1],
    ['has line ends of another system', '', 'a\r\nb', '', 'a\nb', 0],
  ])('%s', (_, before, inserted, after, fitting, cutCount) => {
    expect(cutToLimit({ before, inserted, after })).toEqual({ fitting, cutCount })
  })
})

it.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [600, '10 minutes'],
  [3600, '1 hour'],
  [604_800, '7 days'],
])('%i s are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

it.each([
  [1, '1 s'],
  [59, '59 s'],
  [60, '1:00'],
  [299, '4:59'],
])('%i s are counted down as %s', (seconds, text) => {
  expect(countdownText(seconds)).toBe(text)
})

it('states why the user cannot write, and until when', () => {
  const now = new Date(2026, 10, 21, 9, 0)
  const soon = endText(new Date(2026, 10, 21, 14, 5).toISOString(), now, 'en-GB')
  const later = endText(new Date(2026, 10, 22, 14, 5).toISOString(), now, 'en-GB')
  expect([soon, later]).toEqual(['at 14:05', 'on 22 November at 14:05'])
  const morning = new Date(2026, 10, 21, 9, 5)
  // U+202F before AM, as browsers write it.
  expect(endText(morning.toISOString(), now, 'en-US').replace('\u202f', ' ')).toBe('at 9:05 AM')
  const ban = { restrictionType: 'chat_banned', expiresAt: null } as const
  expect(restrictionText(ban, null)).toBe('You have been banned from chat.')
  expect(restrictionText(ban, soon)).toBe('You have been timed out. You can chat again at 14:05.')
  expect(restrictionText({ ...ban, restrictionType: 'restricted' }, null)).toContain('restricted')
})
