import { randomUUID } from 'node:crypto'
import type { Envelope, EventData } from '@looptide/contracts/events'
import { storeEvent } from '@looptide/testkit/event-keys'
import { until } from '@looptide/testkit/until'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextPacificMidnight } from '../src/queue/pacific-day.ts'
import { ids, startWorkerHarness, type WorkerHarness } from './_harness.ts'

type Request = EventData<'catalogue.playlist.requested.v1'>

let harness: WorkerHarness
const clockMs = Date.parse('2026-11-20T20:00:00Z')
beforeAll(async () => {
  harness = await startWorkerHarness({ YOUTUBE_API_KEY: 'key' }, () => clockMs)
})
afterAll(() => harness.close())

const CHANNEL = 'UCabcdefghijklmnopqrstuv'
const UPLOADS = 'UUabcdefghijklmnopqrstuv'

/** Requests a reading, as the catalogue does; returns the list's id. */
async function request(facts: Partial<Request>, on = harness): Promise<string> {
  const listId = facts.listId ?? randomUUID()
  const data = {
    kind: 'playlist',
    id: 'PLmix',
    playlistId: null,
    etag: null,
    newestIds: [],
    ...facts,
  } as const
  const envelope: Envelope<'catalogue.playlist.requested.v1'> = {
    id: randomUUID(),
    type: 'catalogue.playlist.requested.v1',
    occurredAt: new Date().toISOString(),
    actorId: null,
    correlationId: null,
    aggregateId: listId,
    aggregateVersion: 1,
    data: { ...data, newestIds: [...data.newestIds], listId },
  }
  await storeEvent(on.nats, envelope)
  return listId
}

const answersOf = async (listId: string, on = harness) =>
  [
    ...(await on.events('metadata.playlist.read.v1')),
    ...(await on.events('metadata.playlist.failed.v1')),
  ].filter((event) => event.data.listId === listId)

/** Waits for the last part of a reading; returns all its parts. */
async function reading(listId: string) {
  const parts = await until('the list is read', async () => {
    const found = (await harness.events('metadata.playlist.read.v1')).filter(
      ({ data }) => data.listId === listId,
    )
    return found.some(({ data }) => data.isLast) ? found : undefined
  })
  return parts.map(({ data }) => data)
}

async function failure(listId: string, on = harness) {
  const [event] = await until('the list has failed', async () => {
    const found = (await on.events('metadata.playlist.failed.v1')).filter(
      ({ data }) => data.listId === listId,
    )
    return found.length > 0 ? found : undefined
  })
  return event?.data
}

it('publishes the title and all items in order, 500 per event, without private and deleted ones', async () => {
  const youtubeIds = ids('mix', 620)
  harness.youtube.setPlaylist('PLmix', youtubeIds, { title: 'The Mix' })
  harness.youtube.set(youtubeIds[1]!, { state: 'private' })
  harness.youtube.set(youtubeIds[2]!, { state: 'removed' })
  const calls = { ...harness.youtube.calls }
  const parts = await reading(await request({}))
  expect(parts.flatMap((part) => part.youtubeIds)).toEqual(youtubeIds.filter((_, n) => n !== 1 && n !== 2))
  expect(parts.map(({ youtubeIds: some, isLast }) => [some.length, isLast])).toEqual([
    [500, false],
    [118, true],
  ])
  expect(parts[1]).toMatchObject({ title: 'The Mix', itemCount: 620, playlistId: 'PLmix', isFull: true })
  expect(harness.youtube.calls.playlists - calls.playlists).toBe(1)
  expect(harness.youtube.calls.playlistItems - calls.playlistItems).toBe(13)
})

it('an unchanged playlist costs one call, a changed one is read again', async () => {
  harness.youtube.setPlaylist('PLsame', ids('same', 120))
  const [first] = await reading(await request({ id: 'PLsame' }))
  const before = harness.youtube.calls.playlistItems
  const known = { id: 'PLsame', playlistId: 'PLsame', etag: first!.etag }
  expect(await reading(await request(known))).toMatchObject([
    { youtubeIds: [], isFull: false, etag: first!.etag, title: null, itemCount: null },
  ])
  expect(harness.youtube.calls.playlistItems - before).toBe(1)
  harness.youtube.setPlaylist('PLsame', ids('same', 121))
  const [changed] = await reading(await request(known))
  expect(changed).toMatchObject({ youtubeIds: ids('same', 121), isFull: true, itemCount: 121 })
  expect(changed!.etag).not.toBe(first!.etag)
})

it('of a channel, reads the uploads up to the first page with a known one', async () => {
  const uploads = ids('upload', 220)
  const channel = { title: 'Some Band', channel: { id: CHANNEL, handle: '@someband', user: 'SomeBand' } }
  harness.youtube.setPlaylist(UPLOADS, uploads, channel)
  const sources = [
    { kind: 'channel', id: CHANNEL },
    { kind: 'handle', id: '@someband' },
    { kind: 'user', id: 'SomeBand' },
  ] as const
  for (const source of sources) {
    const [first] = await reading(await request(source))
    expect(first).toMatchObject({ title: 'Some Band', playlistId: UPLOADS, newestIds: uploads.slice(0, 50) })
  }
  const newer = [...ids('newer', 60), ...uploads]
  harness.youtube.setPlaylist(UPLOADS, newer)
  const before = harness.youtube.calls.playlistItems
  const later = {
    kind: 'channel',
    id: CHANNEL,
    playlistId: UPLOADS,
    etag: 'other',
    newestIds: uploads.slice(0, 50),
  }
  const [second] = await reading(await request(later as Partial<Request>))
  expect(second).toMatchObject({
    youtubeIds: newer.slice(0, 100),
    isFull: false,
    newestIds: newer.slice(0, 50),
  })
  expect(harness.youtube.calls.playlistItems - before).toBe(2)
})

it('a list that does not exist is reported as not found', async () => {
  expect(await failure(await request({ id: 'PLgone' }))).toMatchObject({
    code: 'not_found',
    continuesAtMs: null,
  })
  expect(await failure(await request({ kind: 'handle', id: '@nobody' }))).toMatchObject({ code: 'not_found' })
  const known = { id: 'PLgone', playlistId: 'PLgone', etag: 'x' }
  expect(await failure(await request(known))).toMatchObject({ code: 'not_found' })
})

it('a temporary failure is retried, and reported after the last attempt', async () => {
  harness.youtube.setPlaylist('PLshaky', ids('shaky', 3))
  harness.youtube.failNext(2, 503)
  expect(await reading(await request({ id: 'PLshaky' }))).toHaveLength(1)
  harness.youtube.failNext(4, 503)
  expect(await failure(await request({ id: 'PLshaky' }))).toMatchObject({
    code: 'unreachable',
    message: 'YouTube responded with status 503',
  })
})

it('a request that is delivered twice while the list has a job is read once', async () => {
  harness.youtube.setPlaylist('PLtwice', ids('twice', 3))
  const listId = randomUUID()
  // The first attempt fails, so that the job still exists when the second request arrives.
  harness.youtube.failNext(1, 503)
  await request({ listId, id: 'PLtwice' })
  await request({ listId, id: 'PLtwice' })
  await reading(listId)
  await harness.worker.processAll()
  const redis = new Redis(harness.redis.url)
  await until('no job is left', async () => (await redis.keys('*:followed-lists:l-*')).length === 0)
  redis.disconnect()
  expect(await answersOf(listId)).toHaveLength(1)
})

it('when the quota is used up, reports when it continues, without another call', async () => {
  harness.youtube.setPlaylist('PLquota', ids('quota', 120))
  harness.youtube.setQuota(2)
  const continuesAtMs = nextPacificMidnight(clockMs)
  expect(await failure(await request({ id: 'PLquota' }))).toMatchObject({
    code: 'quota_exhausted',
    continuesAtMs,
  })
  const calls = { ...harness.youtube.calls }
  expect(await failure(await request({ id: 'PLquota' }))).toMatchObject({
    code: 'quota_exhausted',
    continuesAtMs,
  })
  expect(harness.youtube.calls).toEqual(calls)
})

it('reports a missing and an invalid API key', async () => {
  const keyless = await startWorkerHarness()
  expect(await failure(await request({}, keyless), keyless)).toMatchObject({ code: 'no_api_key' })
  await keyless.close()
  const invalid = await startWorkerHarness({ YOUTUBE_API_KEY: 'bad' })
  expect(await failure(await request({}, invalid), invalid)).toMatchObject({
    code: 'refused',
    message: expect.stringContaining('API key not valid'),
  })
  await invalid.close()
})
