import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bench, startBench } from './_worker.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench({ LOOKUP_ATTEMPTS: '3' })
})
afterAll(() => bench.close())

it('takes title and channel from oEmbed and the length from the watch page', async () => {
  bench.youtube.set('aaaaaaaaaaa', {
    title: 'Title "};{',
    channel: 'ArtistVEVO',
    durationS: 3723,
    description: 'a </script> b',
  })
  await bench.request(['aaaaaaaaaaa', 'bbbbbbbbbbb', 'ccccccccccc'])
  const events = await bench.eventually('metadata.video.resolved.v1', 3)
  expect(events.find((event) => event.aggregateId === 'aaaaaaaaaaa')?.data).toMatchObject({
    title: 'Title "};{',
    artistName: 'Artist',
    durationMs: 3_723_000,
    description: 'a </script> b',
    embeddable: true,
  })
  expect(bench.youtube.calls).toMatchObject({ videosList: 0, oembed: 3, watch: 3 })
  expect((await bench.get('/api/metadata/status', bench.admin)).body).toMatchObject({
    mode: 'keyless',
    quotaLimit: null,
  })
})

it('tells private, removed and not embeddable apart', async () => {
  bench.youtube.set('removed___1', { state: 'removed' })
  bench.youtube.set('private___1', { state: 'private' })
  bench.youtube.set('noembed___1', { state: 'unembeddable', title: 'Not here' })
  await bench.request(['removed___1', 'private___1', 'noembed___1'])
  const events = await bench.eventually('metadata.video.unavailable.v1', 3)
  expect(Object.fromEntries(events.map(({ data }) => [data.youtubeId, data.reason]))).toEqual({
    removed___1: 'removed',
    private___1: 'private',
    noembed___1: 'not_embeddable',
  })
})

it('does without the length where the page keeps it, and tries again when YouTube stumbles', async () => {
  bench.youtube.set('consent___1', { consentWall: true, title: 'Still known' })
  bench.youtube.failNext(1, 502)
  await bench.request(['consent___1'])
  const events = await bench.eventually('metadata.video.resolved.v1', 5)
  expect(events.at(-1)?.data).toMatchObject({ title: 'Still known', durationMs: null })
})

it('rests for as long as YouTube asks', async () => {
  bench.youtube.failNext(1, 429)
  await bench.request(['tooquick__1'])
  await bench.eventually('metadata.video.resolved.v1', 6)
})
