import type { Video } from '@looptide/contracts/http/videos'
import { newId } from '@looptide/service-kit/db/ids'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyAddedVideos } from '../src/library/apply-videos.ts'
import { upsertVideos } from '../src/library/video-repository.ts'
import { TestScheduler, video } from './_harness.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

const titles = async (videos: readonly Video[]): Promise<(string | undefined)[]> => {
  const rows = await station.db.selectFrom('videos').select(['id', 'title', 'removedAt']).execute()
  const known = new Map(rows.map((row) => [row.id, row.removedAt === null ? row.title : 'removed']))
  return videos.map(({ id }) => known.get(id))
}

test('bulk events add, change and remove videos', async () => {
  const videos = Array.from({ length: 500 }, () => video())
  const first = videos[0]?.id ?? ''
  await station.publish(['catalogue.videos.added.v1', first, { videos }])
  expect(await titles(videos)).toEqual(videos.map(({ title }) => title))
  const changed = videos.map((each, index) => ({ ...each, title: `Changed ${index}` }))
  await station.publish(['catalogue.videos.updated.v1', first, { videos: changed }])
  expect(await titles(videos)).toEqual(changed.map(({ title }) => title))
  const { id } = await station.must('POST', '/api/channels', { name: 'Bulk' })
  await station.must('POST', `/api/channels/${id}/playlist`, {
    videoIds: videos.slice(0, 3).map((v) => v.id),
  })
  const videoIds = videos.map((each) => each.id)
  await station.publish(['catalogue.videos.removed.v1', first, { videoIds }])
  expect(new Set(await titles(videos))).toEqual(new Set(['removed']))
  expect((await station.must('GET', `/api/channels/${id}/playlist`)).items).toEqual([])
})

test('restored videos return to their positions in every playlist, and an older event restores none', async () => {
  const videos = Array.from({ length: 30 }, () => video())
  const first = videos[0]?.id ?? ''
  await station.publish(['catalogue.videos.added.v1', first, { videos }])
  const videoIds = videos.map((each) => each.id)
  const { id } = await station.must('POST', '/api/channels', { name: 'Restored' })
  const other = (await station.must('POST', '/api/channels', { name: 'Also restored' })).id
  await station.must('POST', `/api/channels/${id}/playlist`, { videoIds })
  await station.must('POST', `/api/channels/${other}/playlist`, { videoIds: videoIds.toReversed() })
  const listOf = async (channelId: string): Promise<{ id: string; videoId: string }[]> =>
    (await station.must('GET', `/api/channels/${channelId}/playlist?limit=1000`)).items.map(
      (item: { id: string; videoId: string }) => ({ id: item.id, videoId: item.videoId }),
    )
  const before = [await listOf(id), await listOf(other)]
  const removed = videos.filter((_, n) => n % 3 === 0)
  const removedIds = removed.map((each) => each.id)
  await station.publish(['catalogue.videos.removed.v1', removedIds[0] ?? '', { videoIds: removedIds }])
  expect(await listOf(id)).toEqual(before[0]?.filter(({ videoId }) => !removedIds.includes(videoId)))
  // A redelivery of the first event.
  await station.db.transaction().execute((trx) => applyAddedVideos(trx, removed, 0))
  expect(await listOf(id)).toHaveLength(20)
  await station.publish(['catalogue.videos.added.v1', removedIds[0] ?? '', { videos: removed }])
  expect([await listOf(id), await listOf(other)]).toEqual(before)
  expect(await titles(removed)).toEqual(removed.map(({ title }) => title))
  const { rows } = await sql`select from removed_playlist_items`.execute(station.db)
  expect(rows.length).toBeLessThanOrEqual(3)
})

test('a video removed from the library and restored is planned again', async () => {
  const [a, b] = [video(), video()]
  const id = await station.channelPlaying('Undo', [a, b])
  const planned = async (): Promise<string[]> => {
    const { programmes } = await station.must('POST', `/api/channels/${id}/simulate`, {})
    return programmes.slice(2).map((programme: { videoId: string }) => programme.videoId)
  }
  await station.publish(['catalogue.video.removed.v1', a.id, { videoId: a.id }])
  expect(new Set(await planned())).toEqual(new Set([b.id]))
  await station.publish(['catalogue.video.added.v1', a.id, { video: a }])
  expect(new Set(await planned())).toEqual(new Set([a.id, b.id]))
})

test('a bulk event does not override a newer event of one of its videos', async () => {
  const [a, b] = [video(), video()]
  const newer = { ...a, title: 'Newer' }
  await station.publish(['catalogue.video.updated.v1', a.id, { video: newer }])
  await station.db.transaction().execute((trx) => upsertVideos(trx, [a, b], 0))
  expect(await titles([a, b])).toEqual(['Newer', b.title])
})

const facts = fc.record({
  key: fc.integer({ min: 0, max: 5 }),
  durationMs: fc.integer({ min: 1000, max: 5000 }),
  isUnderReview: fc.boolean(),
})
const ids = Array.from({ length: 6 }, () => newId())
const UNDO = new Error('undo')

test('upserting videos in one statement has the same result as one after another', async () => {
  const videosOf = (all: { key: number; durationMs: number; isUnderReview: boolean }[]): Video[] =>
    all.map(({ key, durationMs, isUnderReview }) =>
      video({
        id: ids[key] ?? '',
        title: 'Same',
        durationMs,
        videoUrl: '/test-card/same.mp4',
        ...(isUnderReview && { review: { state: 'submitted' as const, reason: null } }),
      }),
    )
  const outcome = async (batches: { videos: Video[]; version: number }[]): Promise<unknown> => {
    let seen: unknown
    const attempt = station.db.transaction().execute(async (trx) => {
      const changed: string[] = []
      for (const { videos, version } of batches) changed.push(...(await upsertVideos(trx, videos, version)))
      const columns = ['id', 'durationMs', 'eventVersion', 'version'] as const
      const rows = await trx
        .selectFrom('videos')
        .select(columns)
        .where('id', 'in', ids)
        .orderBy('id')
        .execute()
      seen = { rows, changed: changed.toSorted() }
      throw UNDO
    })
    await attempt.catch((error: unknown) => {
      if (error !== UNDO) throw error
    })
    return seen
  }
  const batches = fc.array(
    fc.record({
      all: fc.uniqueArray(facts, { maxLength: 6, selector: ({ key }) => key }),
      version: fc.integer({ min: 0, max: 4 }),
    }),
    { maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(batches, async (list) => {
      const bulk = list.map(({ all, version }) => ({ videos: videosOf(all), version }))
      const singles = bulk.flatMap(({ videos, version }) =>
        videos.map((each) => ({ videos: [each], version })),
      )
      expect(await outcome(bulk)).toEqual(await outcome(singles))
    }),
    { numRuns: 60 },
  )
})

test('a video that only the catalogue has is refused as not ready, with the time to wait', async () => {
  const { id } = await station.must('POST', '/api/channels', { name: 'Waiting' })
  const fresh = Array.from({ length: 150 }, () => video())
  const videoIds = fresh.map((each) => each.id)
  station.catalogue.videos = fresh
  for (const [path, body] of [
    [`/api/channels/${id}/playlist`, { videoIds }],
    ['/api/live-playlist', { videoIds }],
    [`/api/channels/${id}/simulate`, { add: { videoIds } }],
  ] as const) {
    const refused = await station.request('POST', path, body)
    expect(refused).toMatchObject({ status: 409, body: { code: 'video_not_ready', retryAfterMs: 3000 } })
    expect(refused.headers.get('retry-after')).toBe('3')
  }
  station.catalogue.videos = fresh.slice(1)
  const unknown = await station.request('POST', `/api/channels/${id}/playlist`, { videoIds })
  expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
  const readiness = () => station.must('GET', `/api/live-playlist/readiness?ids=${videoIds.slice(-2).join()}`)
  expect(await readiness()).toEqual({ readyIds: [] })
  await station.publish(['catalogue.videos.added.v1', videoIds[0] ?? '', { videos: fresh }])
  expect((await readiness()).readyIds.toSorted()).toEqual(videoIds.slice(-2).toSorted())
  await station.must('POST', `/api/channels/${id}/playlist`, { videoIds })
})
