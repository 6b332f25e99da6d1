import { randomUUID } from 'node:crypto'
import type { Envelope } from '@looptide/contracts/events'
import { createLogger } from '@looptide/service-kit/logger'
import { storeEvent, testKeys } from '@looptide/testkit/event-keys'
import { until } from '@looptide/testkit/until'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lossDetector } from '../src/queue/loss-detector.ts'
import { type Bench, startBench } from './_worker.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench({ YOUTUBE_API_KEY: 'key', LOOKUP_ATTEMPTS: '1' })
})
afterAll(() => bench.close())

/** Publishes a reminder as the catalogue does. */
async function remind(youtubeIds: string[]): Promise<void> {
  const envelope: Envelope<'catalogue.metadata.requested.v1'> = {
    id: randomUUID(),
    type: 'catalogue.metadata.requested.v1',
    occurredAt: new Date().toISOString(),
    actorId: null,
    correlationId: null,
    aggregateId: youtubeIds[0] ?? '',
    aggregateVersion: 1,
    data: { youtubeIds, force: false, missingOnly: true },
  }
  await storeEvent(bench.nats, envelope)
}

const answersFor = async (youtubeId: string) =>
  (await bench.events('metadata.video.resolved.v1')).filter(({ data }) => data.youtubeId === youtubeId).length

it('looks a video up when a reminder finds no job', async () => {
  await remind(['missing0001'])
  await until('it is looked up', async () => (await answersFor('missing0001')) === 1)
})

it('looks a video up again when a reminder finds that its job is done', async () => {
  await bench.request(['finished001'])
  await until('it is looked up', async () => (await answersFor('finished001')) === 1)
  await until('the job is done', async () => {
    const { body } = await bench.get('/api/metadata/jobs?state=done', bench.admin)
    return body.items.some((job: { youtubeId: string }) => job.youtubeId === 'finished001')
  })
  await remind(['finished001'])
  await until('it is looked up again', async () => (await answersFor('finished001')) === 2)
})

it('leaves a failed job to the admin, whatever a reminder says', async () => {
  bench.youtube.failNext(1, 500)
  await bench.request(['failed00001'])
  const failed = async () => {
    const { body } = await bench.get('/api/metadata/jobs?state=failed', bench.admin)
    return body.items.some((job: { youtubeId: string }) => job.youtubeId === 'failed00001')
  }
  await until('the job has failed', failed)
  await remind(['failed00001', 'missing0002'])
  await until('the other one is looked up', async () => (await answersFor('missing0002')) === 1)
  expect(await failed()).toBe(true)
  expect(await answersFor('failed00001')).toBe(0)
})

it('tells the catalogue when Redis has lost its data, and only then', async () => {
  const losses = async () => (await bench.events('metadata.queue.emptied.v1')).length
  await until('the empty Redis of the start is reported', async () => (await losses()) > 0)
  const redis = new Redis(bench.redis.url)
  await until('the marker is written', () => redis.exists('looptide:metadata:marker'))
  const before = await losses()
  const detector = lossDetector(
    redis,
    { nats: bench.nats, keys: testKeys('metadata') },
    createLogger('test', 'silent'),
    10,
  )
  detector.start()
  await redis.flushall()
  await until('the loss is reported', async () => (await losses()) > before)
  await until('the marker is written again', () => redis.exists('looptide:metadata:marker'))
  await detector.stop()
  const after = await losses()
  const another = lossDetector(
    redis,
    { nats: bench.nats, keys: testKeys('metadata') },
    createLogger('test', 'silent'),
    10,
  )
  another.start()
  await another.stop()
  expect(await losses()).toBe(after)
  redis.disconnect()
})
