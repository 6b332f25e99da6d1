import { randomUUID } from 'node:crypto'
import { MAX_LIKES } from '@looptide/contracts/http/likes'
import { clientOf } from '@looptide/testkit/client'
import { eventsOf } from '@looptide/testkit/stream-contents'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publishLikes } from '../src/features/likes/like-publisher.ts'
import { deleteRemovedBefore } from '../src/features/likes/like-repository.ts'
import { recountLikes } from '../src/housekeeping.ts'
import {
  type AudienceHarness,
  refusalOf,
  startAudienceHarness,
  tick,
  type Viewer,
  videoOf,
} from './_harness.ts'

const MINUTE_MS = 60_000
let harness: AudienceHarness
let viewer: Viewer
let id: string

beforeAll(async () => {
  harness = await startAudienceHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  harness.isPublic = () => true
  viewer = await harness.join()
  id = randomUUID()
})

const like = ({ client }: Viewer, video = id) =>
  client.call('PUT /api/videos/:id/like', { params: { id: video } })
const unlike = ({ client }: Viewer, video = id) =>
  client.call('DELETE /api/videos/:id/like', { params: { id: video } })
const refusedLike = async ({ client }: Viewer, video = id) =>
  refusalOf(await client.send('PUT /api/videos/:id/like', { params: { id: video } }))
const list = ({ client }: Viewer, query = {}) => client.call('GET /api/me/likes', { query })
const likedBy = async (one: Viewer, query = {}) =>
  (await list(one, query)).items.map(({ videoId }) => videoId)

/** The numbers of the video that were published, in their order, after the publisher has run. */
async function publishedCounts(video = id) {
  await publishLikes({ db: harness.db, now: () => harness.clock.nowMs })
  await harness.service.processAll()
  const events = await eventsOf(harness.nats, 'audience.likes.changed.v1')
  return events.flatMap(({ data }) => data.videos.filter(({ videoId }) => videoId === video))
}
const countsOf = async (video = id) => (await publishedCounts(video)).map(({ likeCount }) => likeCount)

describe('a like', () => {
  it('counts once for each account, and no longer after it was taken back', async () => {
    const other = await harness.join()
    expect(await like(viewer)).toEqual({ likeCount: 1, liked: true })
    expect(await like(viewer)).toEqual({ likeCount: 1, liked: true })
    expect(await like(other)).toEqual({ likeCount: 2, liked: true })
    expect(await unlike(viewer)).toEqual({ likeCount: 1, liked: false })
    expect(await unlike(viewer)).toEqual({ likeCount: 1, liked: false })
    expect(await likedBy(viewer)).toEqual([])
    expect(await likedBy(other)).toEqual([id])
  })

  it('counts once however many requests of an account arrive together', async () => {
    const others = await Promise.all([1, 2, 3].map(() => harness.join()))
    await Promise.all([viewer, ...others].flatMap((one) => [like(one), like(one), like(one)]))
    expect(await like(viewer)).toEqual({ likeCount: 4, liked: true })
    await Promise.all([unlike(viewer), unlike(viewer), ...others.map((one) => unlike(one))])
    expect(await unlike(viewer)).toEqual({ likeCount: 0, liked: false })
  })

  it('of a video that is not in the public library is refused, of an account that may not like as well', async () => {
    harness.isPublic = () => false
    expect(await refusedLike(viewer)).toEqual({ status: 404, code: 'not_found' })
    expect(await unlike(viewer)).toEqual({ likeCount: 0, liked: false })
    harness.isPublic = () => true
    const restriction = {
      ...{ userId: viewer.user.id, restrictionId: randomUUID(), restrictionType: 'restricted' as const },
    }
    await like(viewer)
    await harness.publish('auth.user.restricted.v1', viewer.user.id, {
      ...{ ...restriction, reason: 'x', expiresAt: null },
    })
    expect(await refusedLike(viewer)).toEqual({ status: 403, code: 'user_restricted' })
    expect(await unlike(viewer)).toEqual({ likeCount: 0, liked: false })
    await harness.publish('auth.user.unrestricted.v1', viewer.user.id, restriction)
    expect((await like(viewer)).likeCount).toBe(1)
    const visitor = clientOf(harness.url)
    expect((await visitor.send('PUT /api/videos/:id/like', { params: { id } })).status).toBe(401)
    expect((await visitor.send('GET /api/me/likes', { query: {} })).status).toBe(401)
  })

  it('of a video that is known needs no answer of the catalogue', async () => {
    await like(viewer)
    harness.isPublic = () => false
    expect((await like(await harness.join())).likeCount).toBe(2)
  })

  it('is limited to sixty changes a minute for an account, which does not take from its requests', async () => {
    for (let change = 0; change < 30; change += 1) {
      await like(viewer)
      await unlike(viewer)
    }
    expect(await refusedLike(viewer)).toEqual({ status: 429, code: 'rate_limited' })
    const { attempts } = await harness.db
      .selectFrom('profiles')
      .select('attempts')
      .where('userId', '=', viewer.user.id)
      .executeTakeFirstOrThrow()
    expect(attempts).toBe(0)
    harness.clock.nowMs += MINUTE_MS
    expect((await like(viewer)).liked).toBe(true)
  })

  it('is refused to an account that likes as many videos as it may', async () => {
    await sql`
      with videos as (
        insert into liked_videos (video_id, like_count)
        select gen_random_uuid(), 1 from generate_series(1, ${MAX_LIKES}) returning video_id
      )
      insert into likes (user_id, video_id, liked_at)
      select ${viewer.user.id}, video_id, now() from videos`.execute(harness.db)
    expect(await refusedLike(viewer)).toEqual({ status: 409, code: 'like_limit' })
    await harness.publish('auth.user.deleted.v1', viewer.user.id, { userId: viewer.user.id })
    expect(await list(viewer)).toEqual({ items: [], nextCursor: null, total: 0 })
  })
})

describe('the list of likes', () => {
  it('is in pages, newest first, and says which of some videos are liked', async () => {
    const videos = [randomUUID(), randomUUID(), randomUUID()]
    for (const video of videos) {
      tick(harness)
      await like(viewer, video)
    }
    const newest = videos.toReversed()
    const first = await list(viewer, { limit: 2 })
    expect(first.total).toBe(3)
    const rest = await list(viewer, { limit: 2, cursor: first.nextCursor ?? '' })
    expect([...first.items, ...rest.items].map(({ videoId }) => videoId)).toEqual(newest)
    expect(rest.nextCursor).toBeNull()
    expect(await likedBy(viewer, { ids: `${videos[1]},${randomUUID()}` })).toEqual([videos[1]])
    expect(await likedBy(await harness.join(), { ids: videos.join() })).toEqual([])
    const forged = Buffer.from(JSON.stringify([1e300, 'x'])).toString('base64url')
    const refused = await viewer.client.send('GET /api/me/likes', { query: { cursor: forged } })
    expect(await refusalOf(refused)).toEqual({ status: 400, code: 'invalid_cursor' })
  })

  it('is without hidden and deleted videos, which keep their likes until they return', async () => {
    await like(viewer)
    await harness.publish('catalogue.video.updated.v1', id, { video: videoOf(id, { isPublic: false }) })
    expect(await list(viewer)).toMatchObject({ items: [], total: 0 })
    harness.isPublic = () => false
    expect(await refusedLike(await harness.join())).toMatchObject({ code: 'not_found' })
    await harness.publish('catalogue.videos.updated.v1', id, { videos: [videoOf(id)] })
    expect(await likedBy(viewer)).toEqual([id])
    await harness.publish('catalogue.video.removed.v1', id, { videoId: id })
    expect(await likedBy(viewer)).toEqual([])
    await harness.publish('catalogue.video.added.v1', id, { video: videoOf(id) })
    expect(await list(viewer)).toMatchObject({ items: [{ videoId: id }], total: 1 })
    expect((await like(viewer)).likeCount).toBe(1)
  })

  it('is exported whole', async () => {
    await like(viewer)
    await harness.publish('catalogue.videos.removed.v1', id, { videoIds: [id] })
    const { items } = await viewer.client.call('GET /api/export/likes', { query: {} })
    expect(items).toEqual([{ videoId: id, likedAt: expect.any(String) }])
  })
})

describe('the numbers of likes', () => {
  it('are published once for many likes, and not again without a change', async () => {
    await Promise.all((await Promise.all([1, 2, 3].map(() => harness.join()))).map((one) => like(one)))
    expect(await countsOf()).toEqual([3])
    expect(await countsOf()).toEqual([3])
    await like(viewer)
    const counts = await publishedCounts()
    expect(counts.map(({ likeCount }) => likeCount)).toEqual([3, 4])
    expect(counts[1]!.version).toBeGreaterThan(counts[0]!.version)
  })

  it('lose no like that arrives while several replicas publish', async () => {
    const others = await Promise.all([1, 2, 3, 4].map(() => harness.join()))
    await Promise.all(others.flatMap((one) => [like(one), publishedCounts()]))
    expect((await countsOf()).at(-1)).toBe(4)
  })

  it('fall when an account is deleted, by its own likes only', async () => {
    const other = await harness.join()
    await like(viewer)
    await like(other)
    await harness.publish('auth.user.deleted.v1', viewer.user.id, { userId: viewer.user.id })
    expect(await likedBy(viewer)).toEqual([])
    expect((await countsOf()).at(-1)).toBe(1)
    expect(await likedBy(other)).toEqual([id])
  })

  it('do not keep an account from being deleted if they are wrong', async () => {
    await like(viewer)
    await harness.db.updateTable('likedVideos').set({ likeCount: 0 }).where('videoId', '=', id).execute()
    await harness.publish('auth.user.deleted.v1', viewer.user.id, { userId: viewer.user.id })
    expect(await likedBy(viewer)).toEqual([])
  })

  it('are counted again from the likes, and published if they were wrong', async () => {
    await like(viewer)
    const right = randomUUID()
    await like(viewer, right)
    await publishedCounts()
    await harness.db.updateTable('likedVideos').set({ likeCount: 7 }).where('videoId', '=', id).execute()
    await recountLikes(harness.db)
    expect(await countsOf()).toEqual([1, 1])
    expect(await countsOf(right)).toEqual([1])
  })

  it('are deleted with the likes of videos that cannot be restored any more', async () => {
    const kept = randomUUID()
    await like(viewer)
    await like(viewer, kept)
    await harness.publish('catalogue.video.removed.v1', id, { videoId: id })
    await deleteRemovedBefore(harness.db, new Date(harness.clock.nowMs + 1))
    const rows = await harness.db
      .selectFrom('likes')
      .select('videoId')
      .where('userId', '=', viewer.user.id)
      .execute()
    expect(rows.map(({ videoId }) => videoId)).toEqual([kept])
  })
})
