import type { FollowedList, ListProblemCode } from '@looptide/contracts/http/followed-lists'
import { expect, it } from 'vitest'
import { checkText, countText, intakeText, problemText } from './list-text.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const list: FollowedList = {
  id: '019a0000-0000-7000-8000-000000000001',
  url: 'https://www.youtube.com/@band',
  kind: 'channel',
  title: 'Some Band',
  intake: 'direct',
  category: 'Classics',
  tag: 'Band',
  isPaused: false,
  isChecking: false,
  itemCount: 70,
  newCount: 3,
  lastNewAt: '2026-11-20T10:00:00Z',
  checkedAt: '2026-11-20T11:55:00Z',
  nextCheckAt: '2026-11-20T12:55:00Z',
  problem: null,
  createdAt: '2026-11-01T00:00:00Z',
}

it('says where new videos go', () => {
  expect(intakeText(list)).toBe('New videos are added to Classics with the tag “Band”.')
  expect(intakeText({ ...list, intake: 'submissions' })).toBe(
    'New videos go to Submissions with the tag “Band”.',
  )
})

it('says how many videos there are and were new', () => {
  expect(countText(list, NOW)).toBe('70 videos on YouTube, 3 new, last 2 hours ago.')
  expect(countText({ ...list, itemCount: 1, lastNewAt: null }, NOW)).toBe(
    '1 video on YouTube, none new so far.',
  )
  expect(countText({ ...list, itemCount: 7000, lastNewAt: null }, NOW)).toContain('(5,000 are followed)')
  expect(countText({ ...list, itemCount: null }, NOW)).toBe('')
})

it('says when a list was checked and will be', () => {
  expect(checkText(list, NOW)).toMatch(/^Checked 5 minutes ago\. Next check at .+\.$/)
  expect(checkText({ ...list, isChecking: true, checkedAt: null }, NOW)).toBe('Checking... Not checked yet.')
  expect(checkText({ ...list, isPaused: true, nextCheckAt: null }, NOW)).toBe(
    'Paused. Checked 5 minutes ago.',
  )
})

it.each<[ListProblemCode, RegExp]>([
  ['not_found', /private, deleted/],
  ['no_api_key', /set YOUTUBE_API_KEY/],
  ['quota_exhausted', /continue on .+ at /],
  ['refused', /API key not valid/],
  ['unreachable', /next check will try again/],
  ['no_answer', /metadata worker/],
])('explains the problem %s', (code, text) => {
  const problem = { code, message: 'API key not valid', since: list.createdAt }
  expect(problemText({ ...problem, continuesAt: '2026-11-22T08:00:00Z' }, NOW)).toMatch(text)
})
