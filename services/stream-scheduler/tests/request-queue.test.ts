import { randomUUID } from 'node:crypto'
import type { EventData } from '@looptide/contracts/events'
import { plannedDb } from '@looptide/testkit/query-plans'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../src/db/schema.ts'
import { storeQueuePart } from '../src/queues/queue-repository.ts'
import { TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

type QueuePart = EventData<'audience.queue.changed.v1'>

const partOf = (channelId: string, sequence: number, part: number, parts: number): QueuePart => ({
  ...{ channelId, sequence, part, parts, turns: [{ load: 0, approved: [0] }], votes: [] },
  requests: [
    { id: randomUUID(), videoId: randomUUID(), durationMs: 1000, requestedAtMs: part, isPinned: false },
  ],
})

const receive = (...parts: readonly QueuePart[]) =>
  station.publish(
    ...parts.map((part): ['audience.queue.changed.v1', string, QueuePart] => [
      'audience.queue.changed.v1',
      part.channelId,
      part,
    ]),
  )

/** Sequence and part of all that is stored of a channel. */
async function storedOf(channelId: string): Promise<[number, number][]> {
  const rows = await station.db
    .selectFrom('requestQueues')
    .select(['sequence', 'part'])
    .where('channelId', '=', channelId)
    .orderBy('sequence')
    .orderBy('part')
    .execute()
  return rows.map(({ sequence, part }) => [sequence, part])
}

test('the queue in use stays, and the newest one is replaced when all parts of a newer one have arrived', async () => {
  const id = await station.channelPlaying('Queue', [video()])
  const first = partOf(id, 7, 1, 1)
  await receive(first)
  const { channelId, sequence, part, parts, ...body } = first
  expect(
    await station.db.selectFrom('requestQueues').selectAll().where('channelId', '=', id).execute(),
  ).toEqual([{ channelId, sequence, part, parts, body }])
  await receive(partOf(id, 9, 1, 2))
  expect(await storedOf(id)).toEqual([
    [7, 1],
    [9, 1],
  ])
  await receive(partOf(id, 9, 2, 2))
  expect(await storedOf(id)).toEqual([
    [7, 1],
    [9, 1],
    [9, 2],
  ])
  await receive(partOf(id, 10, 1, 1))
  expect(await storedOf(id)).toEqual([
    [7, 1],
    [10, 1],
  ])
})

test('an older queue, and that of an unknown channel, is ignored', async () => {
  const id = await station.channelPlaying('Older', [video()])
  await receive(partOf(id, 9, 1, 1), partOf(id, 8, 1, 1), partOf('nowhere', 1, 1, 1))
  expect(await storedOf(id)).toEqual([[9, 1]])
  expect(await storedOf('nowhere')).toEqual([])
})

test('the queue of a channel is deleted with it', async () => {
  const id = await station.channelPlaying('Deleted', [video()])
  await receive(partOf(id, 1, 1, 1))
  await station.must('DELETE', `/api/channels/${id}`)
  expect(await storedOf(id)).toEqual([])
})

test('a part is stored without reading the queues of other channels', async () => {
  const planned = plannedDb<Database>(station.config.databaseUrl)
  try {
    const id = await station.channelPlaying('Plans', [video()])
    const plans = await planned.plansOf(() =>
      planned.db.transaction().execute(async (trx) => {
        await trx
          .insertInto('requestQueues')
          .values(
            Array.from({ length: 5000 }, (_, index) => {
              const { channelId, sequence, part, parts, ...body } = partOf(id, 1, index + 1, 6000)
              return { channelId, sequence, part, parts, body: JSON.stringify(body) }
            }),
          )
          .execute()
        await storeQueuePart(trx, partOf(id, 2, 1, 2))
      }),
    )
    expect(plans).not.toContain('Seq Scan on request_queues')
  } finally {
    await planned.stop()
  }
})
