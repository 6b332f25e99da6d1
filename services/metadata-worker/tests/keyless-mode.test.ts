import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorkerHarness, type WorkerHarness } from './_harness.ts'

let harness: WorkerHarness
beforeAll(async () => {
  harness = await startWorkerHarness({ LOOKUP_ATTEMPTS: '3' })
})
afterAll(() => harness.close())

it('reads title and channel from oEmbed and the duration from the watch page', async () => {
  harness.youtube.set('aaaaaaaaaaa', {
    title: 'Title "};{',
    channel: 'ArtistVEVO',
    durationS: 3723,
    description: 'a </script> b',
  })
  await harness.request(['aaaaaaaaaaa', 'bbbbbbbbbbb', 'ccccccccccc'])
  const events = await harness.waitForEvents('metadata.video.resolved.v1', 3)
  expect(events.find((event) => event.aggregateId === 'aaaaaaaaaaa')?.data).toMatchObject({
    title: 'Title "};{',
    artistName: 'Artist',
    durationMs: 3_723_000,
    description: 'a </script> b',
    embeddable: true,
  })
  expect(harness.youtube.calls).toMatchObject({ videosList: 0, oembed: 3, watch: 3 })
  expect((await harness.get('/api/metadata/status', harness.admin)).body).toMatchObject({
    mode: 'keyless',
    quotaLimit: null,
  })
})

it('distinguishes private, removed and not embeddable videos', async () => {
  harness.youtube.set('removed___1', { state: 'removed' })
  harness.youtube.set('private___1', { state: 'private' })
  harness.youtube.set('noembed___1', { state: 'unembeddable', title: 'Not here' })
  await harness.request(['removed___1', 'private___1', 'noembed___1'])
  const events = await harness.waitForEvents('metadata.video.unavailable.v1', 3)
  expect(Object.fromEntries(events.map(({ data }) => [data.youtubeId, data.reason]))).toEqual({
    removed___1: 'removed',
    private___1: 'private',
    noembed___1: 'not_embeddable',
  })
})

it('a premiere or live stream has no duration, and is looked up again', async () => {
  const scheduledStart = new Date(Date.now() + 7_200_000).toISOString()
  harness.youtube.set('premiere__1', { broadcast: { state: 'upcoming', scheduledStart } })
  harness.youtube.set('onair_____1', { broadcast: { state: 'live', scheduledStart: '2026-11-20T19:00:00Z' } })
  await harness.request(['premiere__1', 'onair_____1'])
  const events = (await harness.waitForEvents('metadata.video.unavailable.v1', 5)).slice(3)
  expect(Object.fromEntries(events.map(({ data }) => [data.youtubeId, data]))).toEqual({
    premiere__1: { youtubeId: 'premiere__1', reason: 'upcoming', lookUpAgainAt: scheduledStart },
    onair_____1: { youtubeId: 'onair_____1', reason: 'live', lookUpAgainAt: expect.any(String) },
  })
  const resolved = (await harness.events('metadata.video.resolved.v1')).filter(({ data }) =>
    ['premiere__1', 'onair_____1'].includes(data.youtubeId),
  )
  expect(resolved.map(({ data }) => [data.durationMs, data.embeddable])).toEqual([
    [null, false],
    [null, false],
  ])
})

it('resolves a video without a duration if the page has none, and retries after a transient failure', async () => {
  harness.youtube.set('consent___1', { consentWall: true, title: 'Behind consent' })
  harness.youtube.failNext(1, 502)
  await harness.request(['consent___1'])
  const events = await harness.waitForEvents('metadata.video.resolved.v1', 7)
  expect(events.at(-1)?.data).toMatchObject({ title: 'Behind consent', durationMs: null })
})

it('pauses after a 429 response, and then resolves the video', async () => {
  harness.youtube.failNext(1, 429)
  await harness.request(['tooquick__1'])
  await harness.waitForEvents('metadata.video.resolved.v1', 8)
})
