import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { expect, test } from 'vitest'
import { changesBetween, changesGuideTexts, isEqual, mergeDocuments } from './compare.ts'
import { newSchedule } from './new-schedule.ts'

const base = newSchedule('day-and-night', 'Europe/Berlin')
const [day, night] = base.blocks ?? []
if (day === undefined || night === undefined) throw new Error('the template has two blocks')

test('values are equal whatever the order of their keys, and without those that are undefined', () => {
  expect(isEqual({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2, d: undefined }], a: 1 })).toBe(true)
  expect(isEqual({ a: [1, 2] }, { a: [2, 1] })).toBe(false)
  expect(isEqual([], {})).toBe(false)
})

test('changes are listed by part, with the names that admins see', () => {
  const after: ScheduleDocument = {
    ...base,
    blocks: [
      { ...day, name: 'Daytime' },
      { ...day, id: 'show', name: 'Show' },
    ],
    sources: { playlist: { kind: 'playlist' } },
    freezeMinutes: 20,
  }
  expect(changesBetween(base, after)).toEqual([
    { kind: 'Changed', label: 'block Daytime' },
    { kind: 'Removed', label: 'block Night' },
    { kind: 'Added', label: 'block Show' },
    { kind: 'Removed', label: 'source library' },
    { kind: 'Changed', label: 'Protected minutes' },
  ])
  expect(changesBetween(base, structuredClone(base))).toEqual([])
})

test('a renamed block changes the guide, a moved one does not', () => {
  expect(changesGuideTexts(base, { ...base, blocks: [{ ...day, name: 'Daytime' }, night] })).toBe(true)
  expect(changesGuideTexts(base, { ...base, blocks: [{ ...day, colour: '#102030' }, night] })).toBe(true)
  expect(changesGuideTexts(base, { ...base, blocks: [{ ...day, from: '07:00' }, night] })).toBe(false)
  expect(changesGuideTexts(null, base)).toBe(false)
})

test('a merge keeps the changes of both sides', () => {
  const mine: ScheduleDocument = { ...base, blocks: [{ ...day, from: '07:00' }, night], timeZone: 'UTC' }
  const theirs: ScheduleDocument = {
    ...base,
    blocks: [day, { ...night, name: 'Late' }, { ...day, id: 'show', name: 'Show' }],
    clocks: {},
    freezeMinutes: 5,
  }
  const merged = mergeDocuments(base, mine, theirs)
  expect(merged.blocks).toEqual([
    { ...day, from: '07:00' },
    { ...night, name: 'Late' },
    { ...day, id: 'show', name: 'Show' },
  ])
  expect([merged.timeZone, merged.freezeMinutes, merged.clocks]).toEqual(['UTC', 5, {}])
})

test('what both have changed is as in the own version, also if the other one has removed it', () => {
  const mine: ScheduleDocument = { ...base, blocks: [{ ...day, from: '07:00' }] }
  const theirs: ScheduleDocument = { ...base, blocks: [{ ...night, name: 'Late' }] }
  expect(mergeDocuments(base, mine, theirs).blocks).toEqual([{ ...day, from: '07:00' }])
})
