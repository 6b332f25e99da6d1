import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { expect, test } from 'vitest'
import { plannedAgain, withEvening } from './evening.ts'

const empty: ScheduleDocument = {
  timeZone: 'Europe/Berlin',
  defaultSource: 'list',
  sources: { list: { kind: 'playlist' } },
}
const airing = (startedAtMs: number) => ({
  ...{ id: `airing-${startedAtMs}`, videoId: `video-${startedAtMs}` },
  ...{ startedAtMs, endedAtMs: startedAtMs + 180_000 },
})
const airings = [airing(1000), airing(181_000)]
const evening = { channelId: 'default', airings, name: 'Again', at: '2026-12-06T20:00' }
const endsAtMs = Date.parse('2026-12-06T20:06:00+01:00')

test('a special airs an evening already if it has one of its programmes and has not ended', () => {
  const document = withEvening(empty, evening)
  const namesOf = (other: Partial<typeof evening>, nowMs = endsAtMs - 1) =>
    plannedAgain(document, { ...evening, ...other }, nowMs).map(({ name }) => name)
  expect(namesOf({})).toEqual(['Again'])
  expect(namesOf({ airings: [airing(181_000), airing(361_000)] })).toEqual(['Again'])
  expect(namesOf({ airings: [airing(361_000)] })).toEqual([])
  expect(namesOf({ channelId: 'other' })).toEqual([])
  expect(namesOf({}, endsAtMs)).toEqual([])
  expect(plannedAgain(empty, evening, 0)).toEqual([])
})
