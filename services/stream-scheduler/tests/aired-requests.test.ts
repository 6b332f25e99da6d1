import { randomUUID } from 'node:crypto'
import type { EventData } from '@looptide/contracts/events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programmeId } from '../src/timeline/programme-id.ts'
import { type GuardStub, startGuardStub } from './_guard-stub.ts'
import { MINUTE_MS, TestScheduler, video } from './_harness.ts'

let station: TestScheduler
let guard: GuardStub
beforeAll(async () => {
  guard = await startGuardStub()
  station = await TestScheduler.start({ config: { adminAuditUrl: guard.url } })
})
afterAll(async () => {
  await station.stop()
  guard.stop()
})

const videos = Array.from({ length: 6 }, () => video())

/** A channel with a schedule of which the next programme is a request. */
async function channelWithRequest(name: string) {
  const id = await station.channelPlaying(name, videos)
  await station.publishSchedule(id, {
    ...{ timeZone: 'UTC', defaultSource: 'list', freezeMinutes: 0 },
    sources: { list: { kind: 'playlist' } },
  })
  // Programmes that a loop has planned have no reason: the schedule's are on the air after a while.
  await station.advance(20 * MINUTE_MS, MINUTE_MS)
  const { airedSeq } = await station.db
    .selectFrom('channels')
    .select('airedSeq')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const next = await station.db
    .selectFrom('programmes')
    .selectAll()
    .where('channelId', '=', id)
    .where('seq', '=', airedSeq + 1)
    .executeTakeFirstOrThrow()
  if (next.reason === null) throw new Error('a programme of a schedule has no reason')
  const passedOver = [{ request: randomUUID(), rule: 'artistSeparationMinutes' }]
  const request = { id: randomUUID(), currency: 'turn' as const, sequence: 7, passedOver }
  await station.db
    .updateTable('programmes')
    .set({ reason: JSON.stringify({ ...next.reason, request }) })
    .where('channelId', '=', id)
    .where('seq', '=', next.seq)
    .execute()
  return { id, next, request }
}

test('the start of a request is published as one, and the air log keeps it without those that were passed over', async () => {
  const started: EventData<'stream.programme.started.v1'>[] = []
  await station.listen('stream.programme.started.v1', ({ data }) => started.push(data))
  const { id, next, request } = await channelWithRequest('Aired')
  await station.advance(next.startsAtMs - station.clock.nowMs)
  await station.settle()
  const own = started.filter(({ channelId }) => channelId === id)
  expect(own.filter((data) => data.request !== undefined)).toEqual([
    expect.objectContaining({ programmeId: programmeId(next), request }),
  ])
  const logged = await station.db
    .selectFrom('airLog')
    .select('reason')
    .where('channelId', '=', id)
    .where('seq', '=', next.seq)
    .executeTakeFirstOrThrow()
  const { passedOver: _passedOver, ...kept } = request
  expect(logged.reason?.request).toEqual(kept)
})

test('the rest of a request that a takeover has interrupted is no request', async () => {
  const { id, next } = await channelWithRequest('Interrupted')
  await station.advance(next.startsAtMs + MINUTE_MS - station.clock.nowMs)
  const body = { title: 'News', videoIds: [videos[0]?.id], until: 'stopped', returnPolicy: 'continue' }
  await station.must('POST', `/api/channels/${id}/takeover`, body)
  await station.advance(10_000)
  await station.must('DELETE', `/api/channels/${id}/takeover`)
  const later = await station.db
    .selectFrom('programmes')
    .select('reason')
    .where('channelId', '=', id)
    .where('seq', '>', next.seq)
    .orderBy('seq')
    .execute()
  const rest = later.find(({ reason }) => reason?.isResumed === true)
  expect(rest).toBeDefined()
  expect(later.filter(({ reason }) => reason?.request !== undefined)).toEqual([])
})
