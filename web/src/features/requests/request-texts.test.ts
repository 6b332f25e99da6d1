import type { ViewerRequest } from '@looptide/contracts/http/requests'
import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api/api-error.ts'
import { clockTime, dayAndTime } from '../../lib/time/date-locale.ts'
import { refusalText, ruleText, stateText } from './request-texts.ts'

const NOW_MS = Date.parse('2026-11-27T20:00:00Z')
const SOON = '2026-11-27T20:41:00Z'
const LATER = '2026-11-29T08:00:00Z'

test('a rule is named, with the time from which the video is possible', () => {
  expect(ruleText({ rule: 'artistSeparationMinutes', until: SOON }, NOW_MS)).toBe(
    `This artist was on a short time ago. Possible after ${clockTime(Date.parse(SOON))}.`,
  )
  expect(ruleText({ rule: 'videoSeparationHours', until: LATER }, NOW_MS)).toBe(
    `This video was on a short time ago. Possible after ${dayAndTime(Date.parse(LATER))}.`,
  )
  expect(ruleText({ rule: 'excludedFromRequests', until: null }, NOW_MS)).toBe(
    'This video cannot be requested on this channel.',
  )
  expect(ruleText({ rule: 'tagWindows', until: null }, NOW_MS)).toBe(
    'The rules of this channel do not allow this video now.',
  )
})

test('a request that waits says when it is expected, else what it waits for', () => {
  const request = { expectedAt: null, blockedBy: null } as ViewerRequest
  expect(stateText(request, NOW_MS)).toBe('Waiting for its turn')
  expect(stateText({ ...request, expectedAt: SOON }, NOW_MS)).toBe(
    `Expected at ${clockTime(Date.parse(SOON))}`,
  )
  const blockedBy = { rule: 'maxAiringsPerDay', until: null }
  expect(stateText({ ...request, blockedBy }, NOW_MS)).toBe(
    'This video has been on as often today as it may be.',
  )
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
