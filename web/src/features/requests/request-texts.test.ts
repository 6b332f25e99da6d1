import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api/api-error.ts'
import { clockTime } from '../../lib/time/date-locale.ts'
import { choiceText, refusalText } from './request-texts.ts'

const NOW_MS = Date.parse('2026-11-27T20:00:00')
const SOON = new Date('2026-11-27T20:41:00').toISOString()

test('a channel says in one line how it chooses', () => {
  expect(choiceText({ requestSlots: ['turns'] })).toMatch(/^Next is the person/)
  expect(choiceText({ requestSlots: ['votes'] })).toMatch(/^Votes decide/)
  expect(choiceText({ requestSlots: ['turns', 'votes'] })).toMatch(/^Some slots .* others .* votes/)
  expect(choiceText({})).toBe('')
})

test('a refusal says what the viewer can do', () => {
  const refusal = (code: string, facts: ApiError['refusal'] = {}) =>
    refusalText(new ApiError({ status: 403, code, message: 'refused', refusal: facts }), NOW_MS)
  expect(refusal('request_limit')).toBe(
    'You have 3 requests waiting. Withdraw one, or wait until one has been on.',
  )
  expect(refusal('account_too_new', { until: SOON })).toContain(`after ${clockTime(Date.parse(SOON))}`)
  expect(refusal('not_watching', { missingMs: 240_000 })).toContain('Watch for 4 minutes more')
  expect(refusal('request_not_possible', { rule: 'maxDurationMinutes', until: null })).toContain('longer')
  expect(refusal('requests_closed')).toBeUndefined()
  expect(refusalText(new Error('offline'), NOW_MS)).toBeUndefined()
})
