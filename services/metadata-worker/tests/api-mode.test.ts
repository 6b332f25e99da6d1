import { storeEvent } from '@looptide/testkit/event-keys'
import { eventsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextPacificMidnight } from '../src/queue/pacific-day.ts'
import { type Bench, ids, startBench } from './_worker.ts'

let bench: Bench
let clockMs = Date.parse('2026-11-20T20:00:00Z')
beforeAll(async () => {
  bench = await startBench({ YOUTUBE_API_KEY: 'key', LOOKUP_ATTEMPTS: '3' }, () => clockMs)
})
afterAll(() => bench.close())

const idle = () =>
  until('nothing waits', async () => {
    const { body } = await bench.get('/api/metadata/status', bench.admin)
    return body.queued + body.fetching === 0
  })

it('tells what YouTube knows, with the request’s ids, and how it goes on', async () => {
  bench.youtube.set('aaaaaaaaaaa', {
    title: 'A & “B”',
    channel: 'Someone - Topic',
    durationS: 213,
    regionBlocked: ['DE'],
  })
  const requestId = await bench.request(['aaaaaaaaaaa', 'bbbbbbbbbbb', 'ccccccccccc'])
  const events = await bench.eventually('metadata.video.resolved.v1', 3)
  expect(events.find((event) => event.aggregateId === 'aaaaaaaaaaa')).toMatchObject({
    correlationId: 'corr-1',
    data: {
      title: 'A & “B”',
      artistName: 'Someone',
      durationMs: 213_000,
      embeddable: true,
      regionBlocked: ['DE'],
      thumbnailUrl: 'https://i.ytimg.com/vi/aaaaaaaaaaa/hqdefault.jpg',
    },
  })
  expect(requestId).toMatch(/-/)
  expect(bench.youtube.calls.videosList).toBe(1)
  await until('all are done', () => bench.progress.filter(({ state }) => state === 'done').length === 3)
  expect(
    bench.progress.filter(({ youtubeId }) => youtubeId === 'aaaaaaaaaaa').map(({ state }) => state),
  ).toEqual(expect.arrayContaining(['queued', 'fetching', 'done']))
})

it('asks about 50 videos at a time', async () => {
  const before = bench.youtube.calls.videosList
  await bench.request(ids('batch', 200))
  await bench.eventually('metadata.video.resolved.v1', 203)
  expect(bench.youtube.calls.videosList - before).toBeLessThanOrEqual(4)
})

it('takes a request that is delivered twice once', async () => {
  const id = await bench.request(['dddddddddd1'])
  await bench.eventually('metadata.video.resolved.v1', 204)
  await idle()
  const calls = bench.youtube.calls.videosList
  const again = (await eventsOf(bench.nats, 'catalogue.metadata.requested.v1')).at(-1)
  expect(again?.id).toBe(id)
  // Without a message id JetStream lets the repeat through.
  await storeEvent(bench.nats, again!)
  await bench.request(['dddddddddd2'])
  await bench.eventually('metadata.video.resolved.v1', 205)
  await idle()
  expect(bench.youtube.calls.videosList).toBe(calls + 1)
  expect(await bench.events('metadata.video.resolved.v1')).toHaveLength(205)
})

it('says why a video cannot be shown, once, and keeps it among the failed', async () => {
  bench.youtube.set('removed___1', { state: 'removed' })
  bench.youtube.set('private___1', { privacyStatus: 'private' })
  bench.youtube.set('noembed___1', { state: 'unembeddable', title: 'Not here' })
  await bench.request(['removed___1', 'private___1', 'noembed___1'])
  const events = await bench.eventually('metadata.video.unavailable.v1', 3)
  expect(Object.fromEntries(events.map(({ data }) => [data.youtubeId, data.reason]))).toEqual({
    removed___1: 'removed',
    private___1: 'private',
    noembed___1: 'not_embeddable',
  })
  const resolved = await bench.events('metadata.video.resolved.v1')
  expect(resolved.at(-1)?.data).toMatchObject({
    youtubeId: 'noembed___1',
    title: 'Not here',
    embeddable: false,
  })
  await idle()
  const { body } = await bench.get('/api/metadata/jobs', bench.admin)
  expect(body.items).toHaveLength(3)
  expect(body.items[0]).toMatchObject({ state: 'failed', attempts: 1 })
  bench.youtube.set('removed___1', { state: 'public' })
  expect((await bench.post('/api/metadata/jobs/removed___1/retry', bench.admin)).status).toBe(200)
  await bench.eventually('metadata.video.resolved.v1', 207)
  const audit = await bench.events('metadata.audit.recorded.v1')
  expect(audit.at(-1)).toMatchObject({ actorId: bench.admin.id, data: { action: 'metadata.retry' } })
  await idle()
  bench.youtube.set('private___1', { privacyStatus: 'public' })
  expect((await bench.post('/api/metadata/jobs/retry', bench.user)).status).toBe(403)
  expect((await bench.post('/api/metadata/jobs/retry', bench.admin)).body).toEqual({ count: 2 })
  await until('what is public now is found', async () => {
    await idle()
    const { body: rest } = await bench.get('/api/metadata/jobs', bench.admin)
    return rest.items.length === 1 && rest.items[0].youtubeId === 'noembed___1'
  })
})

it('tries again after a passing failure, and gives up after the last attempt', async () => {
  const before = (await bench.events('metadata.video.resolved.v1')).length
  bench.youtube.failNext(2, 503)
  await bench.request(['passing___1'])
  await bench.eventually('metadata.video.resolved.v1', before + 1)
  bench.youtube.failNext(3, 500)
  await bench.request(['deadend___1'])
  await until('it is a dead letter', async () => {
    const { body } = await bench.get('/api/metadata/jobs?state=failed', bench.admin)
    return body.items.some(
      (job: { youtubeId: string; attempts: number }) => job.youtubeId === 'deadend___1' && job.attempts === 3,
    )
  })
  await bench.post('/api/metadata/jobs/deadend___1/retry', bench.admin)
  await bench.eventually('metadata.video.resolved.v1', before + 2)
})

it('waits for the quota’s next day when it is out, and loses nothing', async () => {
  const before = (await bench.events('metadata.video.resolved.v1')).length
  bench.youtube.setQuota(1)
  await bench.request(ids('quota', 120))
  await bench.eventually('metadata.video.resolved.v1', before + 50)
  const paused = await until('the worker rests', async () => {
    const { body } = await bench.get('/api/metadata/status', bench.admin)
    return body.pausedUntilMs !== null && body.fetching === 0 ? body : undefined
  })
  expect(paused).toMatchObject({
    mode: 'api',
    queued: 70,
    quotaLimit: 10_000,
    quotaResetsAtMs: nextPacificMidnight(clockMs),
    pausedUntilMs: nextPacificMidnight(clockMs),
  })
  bench.youtube.setQuota(null)
  clockMs = nextPacificMidnight(clockMs)
  await bench.eventually('metadata.video.resolved.v1', before + 120)
  await idle()
  const { body } = await bench.get('/api/metadata/status', bench.admin)
  expect(body).toMatchObject({ quotaUsed: 2, pausedUntilMs: null })
})

it('answers admins only', async () => {
  expect((await bench.get('/api/metadata/status')).status).toBe(401)
  expect((await bench.get('/api/metadata/jobs', bench.user)).status).toBe(403)
  expect((await bench.get('/api/metadata/jobs?state=lost', bench.admin)).status).toBe(400)
  expect((await bench.get('/api/metadata/jobs?cursor=x', bench.admin)).body.code).toBe('invalid_cursor')
  expect((await bench.post('/api/metadata/jobs/nothere___1/retry', bench.admin)).status).toBe(404)
  expect((await bench.get('/api/dead-letters/metadata-worker', bench.admin)).body).toEqual({
    items: [],
    nextCursor: null,
  })
  expect((await bench.get('/readyz')).body.checks.map(({ ok }: { ok: boolean }) => ok)).toEqual([
    true,
    true,
    true,
  ])
})
