import { randomUUID } from 'node:crypto'
import type { Envelope } from '@looptide/contracts/events'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { storeEvent, testKeys } from '@looptide/testkit/event-keys'
import { until } from '@looptide/testkit/until'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lossDetector } from '../src/queue/loss-detector.ts'
import { startWorkerHarness, type WorkerHarness } from './_harness.ts'

let harness: WorkerHarness
beforeAll(async () => {
  harness = await startWorkerHarness({ YOUTUBE_API_KEY: 'key', LOOKUP_ATTEMPTS: '1' })
})
afterAll(() => harness.close())

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
  await storeEvent(harness.nats, envelope)
}

const resolvedCount = async (youtubeId: string) =>
  (await harness.events('metadata.video.resolved.v1')).filter(({ data }) => data.youtubeId === youtubeId)
    .length

it('looks a video up when a reminder finds no job', async () => {
  await remind(['missing0001'])
  await until('the video is looked up', async () => (await resolvedCount('missing0001')) === 1)
})

it('looks a video up again when a reminder finds that its job is done', async () => {
  await harness.request(['finished001'])
  await until('it is looked up', async () => (await resolvedCount('finished001')) === 1)
  await until('the job is done', async () => {
    const { body } = await harness.get('/api/metadata/jobs?state=done', harness.admin)
    return body.items.some((job: { youtubeId: string }) => job.youtubeId === 'finished001')
  })
  await remind(['finished001'])
  await until('it is looked up again', async () => (await resolvedCount('finished001')) === 2)
})

it('a reminder does not retry a failed job', async () => {
  harness.youtube.failNext(1, 500)
  await harness.request(['failed00001'])
  const failed = async () => {
    const { body } = await harness.get('/api/metadata/jobs?state=failed', harness.admin)
    return body.items.some((job: { youtubeId: string }) => job.youtubeId === 'failed00001')
  }
  await until('the job has failed', failed)
  await remind(['failed00001', 'missing0002'])
  await until('the other one is looked up', async () => (await resolvedCount('missing0002')) === 1)
  expect(await failed()).toBe(true)
  expect(await resolvedCount('failed00001')).toBe(0)
})

it('notifies the catalogue when Redis has lost its data, and only then', async () => {
  const losses = async () => (await harness.events('metadata.queue.emptied.v1')).length
  await until('the initially empty Redis is reported', async () => (await losses()) > 0)
  const redis = new Redis(harness.redis.url)
  await until('the marker is written', () => redis.exists('looptide:metadata:marker'))
  // Its own detector would report the loss, too.
  await harness.worker.close()
  const before = await losses()
  const detector = lossDetector(
    redis,
    { nats: harness.nats, keys: testKeys('metadata') },
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
    { nats: harness.nats, keys: testKeys('metadata') },
    createLogger('test', 'silent'),
    10,
  )
  another.start()
  await another.stop()
  expect(await losses()).toBe(after)
  redis.disconnect()
})
