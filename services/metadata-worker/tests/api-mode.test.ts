import { storeEvent } from '@looptide/testkit/event-keys'
import { eventsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextPacificMidnight } from '../src/queue/pacific-day.ts'
import { ids, startWorkerHarness, type WorkerHarness } from './_harness.ts'

let harness: WorkerHarness
let clockMs = Date.parse('2026-11-20T20:00:00Z')
beforeAll(async () => {
  harness = await startWorkerHarness({ YOUTUBE_API_KEY: 'key', LOOKUP_ATTEMPTS: '3' }, () => clockMs)
})
afterAll(() => harness.close())

const untilIdle = () =>
  until('no job is queued or running', async () => {
    const { body } = await harness.get('/api/metadata/status', harness.admin)
    return body.queued + body.fetching === 0
  })

it('publishes metadata with the ids of the request, and its progress', async () => {
  harness.youtube.set('aaaaaaaaaaa', {
    title: 'A & “B”',
    channel: 'Someone - Topic',
    durationS: 213,
    regionBlocked: ['DE'],
  })
  const requestId = await harness.request(['aaaaaaaaaaa', 'bbbbbbbbbbb', 'ccccccccccc'])
  const events = await harness.waitForEvents('metadata.video.resolved.v1', 3)
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
  expect(harness.youtube.calls.videosList).toBe(1)
  await until('all are done', () => harness.progress.filter(({ state }) => state === 'done').length === 3)
  expect(
    harness.progress.filter(({ youtubeId }) => youtubeId === 'aaaaaaaaaaa').map(({ state }) => state),
  ).toEqual(expect.arrayContaining(['queued', 'fetching', 'done']))
})

it('looks up 50 videos per call, and publishes them as one event', async () => {
  const before = harness.youtube.calls.videosList
  const bulkBefore = (await harness.events('metadata.videos.resolved.v1')).length
  await harness.request(ids('batch', 200))
  await harness.waitForEvents('metadata.video.resolved.v1', 203)
  expect(harness.youtube.calls.videosList - before).toBeLessThanOrEqual(4)
  expect((await harness.events('metadata.videos.resolved.v1')).length - bulkBefore).toBeLessThanOrEqual(4)
})

it('processes a request once when it is delivered twice', async () => {
  const id = await harness.request(['dddddddddd1'])
  await harness.waitForEvents('metadata.video.resolved.v1', 204)
  await untilIdle()
  const calls = harness.youtube.calls.videosList
  const again = (await eventsOf(harness.nats, 'catalogue.metadata.requested.v1')).at(-1)
  expect(again?.id).toBe(id)
  // Without a message id JetStream does not drop the duplicate.
  await storeEvent(harness.nats, again!)
  await harness.request(['dddddddddd2'])
  await harness.waitForEvents('metadata.video.resolved.v1', 205)
  await untilIdle()
  expect(harness.youtube.calls.videosList).toBe(calls + 1)
  expect(await harness.events('metadata.video.resolved.v1')).toHaveLength(205)
})

it('publishes why a video is unavailable, keeps its job as failed, and retries it on request', async () => {
  harness.youtube.set('removed___1', { state: 'removed' })
  harness.youtube.set('private___1', { privacyStatus: 'private' })
  harness.youtube.set('noembed___1', { state: 'unembeddable', title: 'Not here' })
  await harness.request(['removed___1', 'private___1', 'noembed___1'])
  const events = await harness.waitForEvents('metadata.video.unavailable.v1', 3)
  expect(Object.fromEntries(events.map(({ data }) => [data.youtubeId, data.reason]))).toEqual({
    removed___1: 'removed',
    private___1: 'private',
    noembed___1: 'not_embeddable',
  })
  const resolved = await harness.events('metadata.video.resolved.v1')
  expect(resolved.at(-1)?.data).toMatchObject({
    youtubeId: 'noembed___1',
    title: 'Not here',
    embeddable: false,
  })
  await untilIdle()
  const { body } = await harness.get('/api/metadata/jobs', harness.admin)
  expect(body.items).toHaveLength(3)
  expect(body.items[0]).toMatchObject({ state: 'failed', attempts: 1 })
  harness.youtube.set('removed___1', { state: 'public' })
  expect((await harness.post('/api/metadata/jobs/removed___1/retry', harness.admin)).status).toBe(200)
  await harness.waitForEvents('metadata.video.resolved.v1', 207)
  const audit = await harness.events('metadata.audit.recorded.v1')
  expect(audit.at(-1)).toMatchObject({ actorId: harness.admin.id, data: { action: 'metadata.retry' } })
  await untilIdle()
  harness.youtube.set('private___1', { privacyStatus: 'public' })
  expect((await harness.post('/api/metadata/jobs/retry', harness.user)).status).toBe(403)
  expect((await harness.post('/api/metadata/jobs/retry', harness.admin)).body).toEqual({ count: 2 })
  await until('the public video is resolved', async () => {
    await untilIdle()
    const { body: rest } = await harness.get('/api/metadata/jobs', harness.admin)
    return rest.items.length === 1 && rest.items[0].youtubeId === 'noembed___1'
  })
})

it('a premiere or live stream has no duration, and is looked up again at its scheduled start and after its end', async () => {
  const scheduledStart = new Date(clockMs + 7_200_000).toISOString()
  harness.youtube.set('premiere__1', { broadcast: { state: 'upcoming', scheduledStart } })
  harness.youtube.set('nextyear__1', {
    broadcast: { state: 'upcoming', scheduledStart: '2027-11-20T20:00:00Z' },
  })
  harness.youtube.set('onair_____1', { broadcast: { state: 'live', scheduledStart: '2026-11-20T19:00:00Z' } })
  const before = (await harness.events('metadata.video.unavailable.v1')).length
  await harness.request(['premiere__1', 'nextyear__1', 'onair_____1'])
  const events = (await harness.waitForEvents('metadata.video.unavailable.v1', before + 3)).slice(before)
  const after = (ms: number) => new Date(clockMs + ms).toISOString()
  expect(Object.fromEntries(events.map(({ data }) => [data.youtubeId, data]))).toEqual({
    premiere__1: { youtubeId: 'premiere__1', reason: 'upcoming', lookUpAgainAt: scheduledStart },
    nextyear__1: { youtubeId: 'nextyear__1', reason: 'upcoming', lookUpAgainAt: after(86_400_000) },
    onair_____1: { youtubeId: 'onair_____1', reason: 'live', lookUpAgainAt: after(1_800_000) },
  })
  const resolved = async () =>
    (await harness.events('metadata.video.resolved.v1')).filter(
      ({ data }) => data.youtubeId === 'premiere__1',
    )
  expect((await resolved()).map(({ data }) => data)).toMatchObject([{ durationMs: null, embeddable: false }])
  await untilIdle()
  harness.youtube.set('premiere__1', { broadcast: null, durationS: 201 })
  await harness.request(['premiere__1'])
  await until('the recording is resolved', async () => (await resolved()).length === 2)
  expect((await resolved()).at(-1)?.data).toMatchObject({ durationMs: 201_000, embeddable: true })
  await untilIdle()
})

it('retries after a transient failure, and dead-letters the job after the last attempt', async () => {
  const before = (await harness.events('metadata.video.resolved.v1')).length
  harness.youtube.failNext(2, 503)
  await harness.request(['passing___1'])
  await harness.waitForEvents('metadata.video.resolved.v1', before + 1)
  harness.youtube.failNext(3, 500)
  await harness.request(['deadend___1'])
  await until('the job is a dead letter', async () => {
    const { body } = await harness.get('/api/metadata/jobs?state=failed', harness.admin)
    return body.items.some(
      (job: { youtubeId: string; attempts: number }) => job.youtubeId === 'deadend___1' && job.attempts === 3,
    )
  })
  await harness.post('/api/metadata/jobs/deadend___1/retry', harness.admin)
  await harness.waitForEvents('metadata.video.resolved.v1', before + 2)
})

it('pauses until the quota is reset, and loses no job', async () => {
  const before = (await harness.events('metadata.video.resolved.v1')).length
  harness.youtube.setQuota(1)
  await harness.request(ids('quota', 120))
  await harness.waitForEvents('metadata.video.resolved.v1', before + 50)
  const paused = await until('the worker is paused', async () => {
    const { body } = await harness.get('/api/metadata/status', harness.admin)
    return body.pausedUntilMs !== null && body.fetching === 0 ? body : undefined
  })
  expect(paused).toMatchObject({
    mode: 'api',
    queued: 70,
    quotaLimit: 10_000,
    quotaResetsAtMs: nextPacificMidnight(clockMs),
    pausedUntilMs: nextPacificMidnight(clockMs),
  })
  harness.youtube.setQuota(null)
  clockMs = nextPacificMidnight(clockMs)
  await harness.waitForEvents('metadata.video.resolved.v1', before + 120)
  await untilIdle()
  const { body } = await harness.get('/api/metadata/status', harness.admin)
  expect(body).toMatchObject({ quotaUsed: 2, pausedUntilMs: null })
})

it('serves admins only', async () => {
  expect((await harness.get('/api/metadata/status')).status).toBe(401)
  expect((await harness.get('/api/metadata/jobs', harness.user)).status).toBe(403)
  expect((await harness.get('/api/metadata/jobs?state=lost', harness.admin)).status).toBe(400)
  expect((await harness.get('/api/metadata/jobs?cursor=x', harness.admin)).body.code).toBe('invalid_cursor')
  expect((await harness.post('/api/metadata/jobs/nothere___1/retry', harness.admin)).status).toBe(404)
  expect((await harness.get('/api/dead-letters/metadata-worker', harness.admin)).body).toEqual({
    items: [],
    nextCursor: null,
  })
  expect((await harness.get('/readyz')).body.checks.map(({ ok }: { ok: boolean }) => ok)).toEqual([
    true,
    true,
    true,
    true,
  ])
})
