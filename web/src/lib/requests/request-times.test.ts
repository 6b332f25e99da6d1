import type { OwnRequest, ViewerRequest } from '@looptide/contracts/http/requests'
import { expect, test } from 'vitest'
import { clockTime, dayAndTime } from '../time/date-locale.ts'
import { noticeOf, ownStateText, ruleText, stateText } from './request-times.ts'

// Of the viewer's own time zone, whose days are named.
const at = (day: number, time: string) => new Date(`2026-11-${day}T${time}:00`).toISOString()
const NOW_MS = Date.parse(at(27, '20:00'))
const SOON = at(27, '20:41')
const LATER = at(29, '08:00')
const timeOf = (instant: string) => clockTime(Date.parse(instant))

const OWN = {
  ...{ video: { title: 'Song' }, state: 'waiting', expectedAt: null, blockedBy: null },
  ...{ endedAt: null, isByStaff: false, reason: null, movedFrom: null },
} as OwnRequest

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

test('an own request says what has become of it: why, when and by whom it was refused', () => {
  const ended = { ...OWN, endedAt: at(27, '19:30') }
  const endedAt = timeOf(ended.endedAt)
  const refused = { ...ended, state: 'refused' as const, reason: 'Not tonight' }
  expect(ownStateText({ ...refused, isByStaff: true }, NOW_MS)).toBe(
    `Refused by staff at ${endedAt}: Not tonight`,
  )
  expect(ownStateText(refused, NOW_MS)).toBe(`Refused at ${endedAt}: Not tonight`)
  expect(ownStateText({ ...ended, state: 'withdrawn', isByStaff: true }, NOW_MS)).toBe(
    `Withdrawn by staff at ${endedAt}`,
  )
  expect(ownStateText({ ...ended, state: 'aired' }, NOW_MS)).toBe(`On the air at ${endedAt}`)
  const days = { ...refused, endedAt: at(25, '19:30') }
  expect(ownStateText(days, NOW_MS)).toContain(dayAndTime(Date.parse(days.endedAt)))
})

test('an own request that has moved says from when', () => {
  const moved = { ...OWN, movedFrom: SOON }
  expect(ownStateText({ ...moved, expectedAt: at(27, '20:50') }, NOW_MS)).toBe(
    `Expected at ${timeOf(at(27, '20:50'))}, before at ${timeOf(SOON)}`,
  )
  expect(ownStateText(moved, NOW_MS)).toBe(`Waiting for its turn, before at ${timeOf(SOON)}`)
  expect(ownStateText({ ...moved, expectedAt: SOON }, NOW_MS)).toBe(`Expected at ${timeOf(SOON)}`)
})

test('a viewer is notified of what others have done with a request', () => {
  const planned = { ...OWN, state: 'planned' as const, expectedAt: SOON }
  const titleOf = (before: OwnRequest, now: OwnRequest) => noticeOf(before, now, NOW_MS)?.title
  expect(titleOf(OWN, planned)).toBe('Your request is planned')
  expect(titleOf(planned, { ...planned, expectedAt: at(27, '20:45') })).toBe('Your request has moved')
  expect(
    titleOf(planned, { ...planned, expectedAt: new Date(Date.parse(SOON) + 20_000).toISOString() }),
  ).toBeUndefined()
  expect(titleOf(planned, OWN)).toBe('Your request has moved')
  expect(titleOf(planned, { ...OWN, state: 'aired', endedAt: SOON })).toBe('Your request is on')
  const refused = { ...OWN, state: 'refused' as const, endedAt: SOON, reason: 'No' }
  expect(noticeOf(OWN, { ...refused, isByStaff: true }, NOW_MS)).toEqual({
    ...{ title: 'Your request was refused', tone: 'error' },
    description: `“Song”: Refused by staff at ${timeOf(SOON)}: No`,
  })
  const withdrawn = { ...OWN, state: 'withdrawn' as const, endedAt: SOON }
  expect(titleOf(OWN, withdrawn)).toBeUndefined()
  expect(titleOf(OWN, { ...withdrawn, isByStaff: true })).toBe('Your request was withdrawn')
  expect(titleOf(refused, refused)).toBeUndefined()
})
