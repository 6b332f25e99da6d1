import fc from 'fast-check'
import { expect, it } from 'vitest'
import { actionChoices, labelOf } from './audit-labels.ts'
import { detailsOf, differencesOf, factsOf } from './differences.ts'

it('a change lists the fields that differ, before and after, and no others', () => {
  const before = { id: 'x', name: 'Old', isActive: true, position: 1 }
  const after = { id: 'y', name: 'New', isActive: false, position: 1 }
  expect(differencesOf(before, after)).toEqual([
    { field: 'Name', before: 'Old', after: 'New' },
    { field: 'Is active', before: 'yes', after: 'no' },
  ])
})

it('an added or removed value is listed once', () => {
  expect(differencesOf(null, { reason: 'spam', expiresAt: null })).toEqual([
    { field: 'Reason', after: 'spam' },
    { field: 'Expires at', after: 'none' },
  ])
  expect(differencesOf({ title: 'Song' }, null)).toEqual([{ field: 'Title', before: 'Song' }])
})

it('a list is described by the names of its items', () => {
  const videos = [
    { id: '1', title: 'One' },
    { id: '2', title: 'Two' },
  ]
  expect(differencesOf(videos, null)).toEqual([{ field: 'Entries', before: 'One, Two' }])
})

it('what staff do with requests is said by the sentence, which leaves the reason, and how often a channel plays them in words', () => {
  const id = '01a217b7-2dab-7391-a157-19b012ff9500'
  const details = { channelId: 'default', videoId: id, videoTitle: 'Song', reason: 'Too loud' }
  expect(detailsOf({ action: 'request.refuse', before: null, after: null, details })).toEqual([
    { field: 'Reason', after: 'Too loud' },
  ])
  const exclusion = {
    before: null,
    after: { videoId: id, artistName: null },
    details: { videoTitle: 'Song' },
  }
  expect(detailsOf({ action: 'request_exclusion.add', ...exclusion })).toEqual([])
  const every = {
    before: { requestEvery: null, requestSlots: [], takesRequests: false },
    after: { requestEvery: 3, requestSlots: ['turns'], takesRequests: true },
    details: null,
  }
  expect(detailsOf({ action: 'channel.update', ...every })).toEqual([
    { field: 'Requests', before: 'off', after: 'every third programme' },
  ])
})

it('a note is listed as a fact', () => {
  expect(factsOf('why')).toEqual([{ field: 'Note', after: 'why' }])
  expect(factsOf(null)).toEqual([])
})

it('a refused attempt is described by what was missing; parameters that are only ids are not shown', () => {
  const params = { id: '01a217b7-2dab-7391-a157-19b012ff9500' }
  expect(factsOf({ lacks: 'scope', params })).toEqual([{ field: 'Missing', after: 'scope' }])
  expect(factsOf({ lacks: 'role', params: {} })).toEqual([{ field: 'Missing', after: 'role' }])
  expect(factsOf({ params: { ...params, service: 'chat' } })).toEqual([
    { field: 'Parameters', after: 'service: chat' },
  ])
})

it('times, durations, constants and actions are readable', () => {
  const texts = factsOf({
    until: '2026-03-01T12:00:00.000Z',
    durationMs: 192_000,
    slowModeS: 30,
    restrictionType: 'chat_banned',
    action: 'stream.stop',
  })
  expect(texts.map(({ field }) => field)).toEqual([
    'Until',
    'Duration',
    'Slow mode',
    'Restriction type',
    'Action',
  ])
  expect(texts[0]?.after).not.toMatch(/T12|Z$/)
  expect(texts.slice(1).map(({ after }) => after)).toEqual([
    '3:12',
    '0:30',
    'chat banned',
    'stopped a stream',
  ])
})

it('for any recorded values, equal ones are no difference and texts are truncated', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      expect(differencesOf(before, before)).toEqual([])
      for (const { before: a = '', after: b = '' } of differencesOf(before, after)) {
        expect(Math.max(a.length, b.length)).toBeLessThanOrEqual(201)
      }
    }),
  )
})

it('no id is shown, wherever it is stored', () => {
  const id = fc.uuid()
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      id,
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('id', 'videoId', 'ids', 'params', 'title'), tie('value'), { maxKeys: 3 }),
    ),
  })).value
  fc.assert(
    fc.property(anything, anything, anything, (before, after, details) => {
      const shown = JSON.stringify([...differencesOf(before, after), ...factsOf(details)])
      expect(shown).not.toMatch(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/)
    }),
  )
})

it('a fact named like an inherited property is listed like any other', () => {
  expect(differencesOf(0, { valueOf: 'x' })).toEqual([
    { field: 'Value', before: '0', after: 'none' },
    { field: 'Value of', before: 'none', after: 'x' },
  ])
})

it('an action without a label is spelled out', () => {
  expect(labelOf('user.role.set')).toBe('changed a role')
  expect(labelOf('parade.float_add')).toBe('parade float add')
  expect(actionChoices(['parade.float_add', 'user.role.set'])).toContainEqual({
    value: 'parade.float_add',
    label: 'Parade float add',
  })
  expect(actionChoices(['user.role.set'])).toEqual(actionChoices([]))
})
