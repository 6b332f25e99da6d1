import { randomUUID } from 'node:crypto'
import type { EventData } from '@looptide/contracts/events'
import { MAX_FOLLOWED_LISTS } from '@looptide/contracts/http/followed-lists'
import { plannedDb } from '@looptide/testkit/query-plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '../src/db/schema.ts'
import { requestDueLists } from '../src/features/followed-lists/list-checks.ts'
import { deleteOldItems, storeItems, takeDueLists } from '../src/features/followed-lists/list-repository.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'

type Reading = EventData<'metadata.playlist.read.v1'>

let catalogue: CatalogueHarness
beforeAll(async () => {
  catalogue = await startCatalogue()
})
afterAll(() => catalogue.close())
beforeEach(async () => {
  await sql`delete from followed_lists`.execute(catalogue.db)
})

const PATH = '/api/followed-lists'
const admin = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  catalogue.call(method, path, { as: catalogue.admin, ...(body && { body }) })
const follow = async (body: object = {}) =>
  (await admin('POST', PATH, { url: `youtube.com/playlist?list=PL${randomUUID()}`, tag: 'Mix', ...body }))
    .body
const lists = async () => (await admin('GET', PATH)).body.items

let idCount = 0
/** YouTube ids that no other test has. */
function youtubeIds(count: number): string[] {
  idCount += count
  return Array.from({ length: count }, (_, n) => `f${String(idCount - count + n).padStart(10, '0')}`)
}

/** Publishes a reading, as the metadata worker does. */
const read = (listId: string, ids: readonly string[], facts: Partial<Reading> = {}) =>
  catalogue.publishEvent('metadata.playlist.read.v1', {
    listId,
    playlistId: 'PLmix',
    title: 'The Mix',
    itemCount: ids.length,
    youtubeIds: [...ids],
    isLast: true,
    isFull: true,
    etag: 'etag-1',
    newestIds: [],
    ...facts,
  })
const fail = (listId: string, facts: Partial<EventData<'metadata.playlist.failed.v1'>>) =>
  catalogue.publishEvent('metadata.playlist.failed.v1', {
    listId,
    code: 'not_found',
    message: '',
    continuesAtMs: null,
    ...facts,
  })

const videosOf = (ids: readonly string[]) =>
  catalogue.db.selectFrom('videos').selectAll().where('youtubeId', 'in', ids).orderBy('youtubeId').execute()
const requestsOf = async (listId: string) =>
  (await catalogue.events('catalogue.playlist.requested.v1'))
    .map(({ data }) => data)
    .filter((data) => data.listId === listId)
const lastRequestOf = async (listId: string) => (await requestsOf(listId)).at(-1)
const submissions = async () =>
  (await catalogue.call('GET', '/api/submissions', { as: catalogue.moderator })).body.items

it('a list is followed, changed, paused and no longer followed, each time audited', async () => {
  const before = (await catalogue.events('catalogue.audit.recorded.v1')).length
  const url = ' https://www.youtube.com/@SomeBand '
  const followed = await admin('POST', PATH, { url, tag: ' Some   band ' })
  expect(followed.status).toBe(201)
  expect(followed.body).toMatchObject({
    url: url.trim(),
    kind: 'channel',
    title: null,
    tag: 'Some band',
    intake: 'submissions',
    category: 'YouTube Playlist',
    isChecking: true,
    problem: null,
  })
  const { id } = followed.body
  const change = { intake: 'direct', category: 'Classics', tag: 'Band' }
  expect((await admin('PATCH', `${PATH}/${id}`, change)).body).toMatchObject(change)
  const paused = (await admin('PATCH', `${PATH}/${id}`, { isPaused: true })).body
  expect(paused).toMatchObject({ isPaused: true, isChecking: false, nextCheckAt: null })
  expect((await admin('POST', `${PATH}/${id}/check`)).body.code).toBe('conflict')
  expect((await admin('PATCH', `${PATH}/${id}`, { isPaused: false })).body).toMatchObject({
    isChecking: true,
  })
  expect(await requestsOf(id)).toHaveLength(2)
  expect((await admin('DELETE', `${PATH}/${id}`)).status).toBe(204)
  expect((await admin('DELETE', `${PATH}/${id}`)).status).toBe(404)
  expect(await lists()).toEqual([])
  const audits = (await catalogue.events('catalogue.audit.recorded.v1')).slice(before)
  expect(audits.map(({ data }) => data)).toMatchObject([
    { action: 'followed_list.create', after: { name: url.trim() } },
    { action: 'followed_list.update', after: change },
    { action: 'followed_list.update', before: { isPaused: false }, after: { isPaused: true } },
    { action: 'followed_list.update', before: { isPaused: true }, after: { isPaused: false } },
    { action: 'followed_list.delete', after: null },
  ])
})

it('refuses other URLs, blank tags, a list that is followed already, and too many lists', async () => {
  const code = async (body: object) => (await admin('POST', PATH, { tag: 'x', ...body })).body.code
  expect(await code({ url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' })).toBe('validation_failed')
  expect(await code({ url: 'https://example.com/playlist?list=PLabc' })).toBe('validation_failed')
  expect(await code({ url: 'youtube.com/@band', tag: ' ' })).toBe('validation_failed')
  expect(await code({ url: 'youtube.com/@band', intake: 'elsewhere' })).toBe('validation_failed')
  await follow({ url: 'https://www.youtube.com/playlist?list=PLsame' })
  expect(await code({ url: 'youtu.be/dQw4w9WgXcQ?list=PLsame' })).toBe('conflict')
  for (let n = 1; n < MAX_FOLLOWED_LISTS; n += 1) await follow()
  expect(await code({ url: 'youtube.com/@onemore' })).toBe('unprocessable')
})

it('is for admins only', async () => {
  for (const as of [catalogue.user, catalogue.moderator]) {
    expect((await catalogue.call('GET', PATH, { as })).status).toBe(403)
  }
  expect((await catalogue.call('GET', PATH)).status).toBe(401)
})

it('adds new items directly, with category and tag, and requests their metadata', async () => {
  const { id } = await follow({ intake: 'direct', category: 'Classics' })
  const ids = youtubeIds(30)
  await read(id, ids)
  const videos = await videosOf(ids)
  expect(videos).toHaveLength(30)
  for (const video of videos) {
    expect(video).toMatchObject({ category: 'Classics', tags: ['Mix'], isPublic: true, reviewState: null })
  }
  const added = await catalogue.events('catalogue.videos.added.v1')
  expect(
    added
      .at(-1)
      ?.data.videos.map((video) => video.youtubeId)
      .toSorted(),
  ).toEqual(ids)
  expect((await catalogue.events('catalogue.metadata.requested.v1')).at(-1)?.data.youtubeIds).toHaveLength(30)
  expect(await lists()).toMatchObject([
    { title: 'The Mix', itemCount: 30, newCount: 30, isChecking: false, problem: null },
  ])
})

it('new items wait in Submissions, and keep the tag when they are accepted', async () => {
  const { id } = await follow()
  const [youtubeId = ''] = youtubeIds(1)
  await read(id, [youtubeId])
  const [video] = await videosOf([youtubeId])
  expect(video).toMatchObject({ isPublic: false, reviewState: 'submitted' })
  const entry = (await submissions()).find((one: { video: { id: string } }) => one.video.id === video?.id)
  expect(entry).toMatchObject({ followedList: 'The Mix', submittedBy: null, submitterCount: 0 })
  const body = { ids: [video?.id], category: 'Must Watch' }
  await catalogue.call('POST', '/api/submissions/accept', { as: catalogue.moderator, body })
  expect(await videosOf([youtubeId])).toMatchObject([
    { tags: ['Mix'], isPublic: true, category: 'Must Watch' },
  ])
})

it('a video that was rejected, deleted or untagged does not return', async () => {
  const { id } = await follow()
  const direct = await follow({ intake: 'direct' })
  const [rejected = '', deleted = '', untagged = ''] = youtubeIds(3)
  await read(id, [rejected])
  await read(direct.id, [deleted, untagged])
  const [one] = await videosOf([rejected])
  const [two, three] = await videosOf([deleted, untagged])
  const body = { ids: [one!.id], reason: 'no' }
  await catalogue.call('POST', '/api/submissions/reject', { as: catalogue.moderator, body })
  await admin('DELETE', '/api/videos', { ids: [two!.id] })
  await admin('PATCH', `/api/videos/${three!.id}`, { tags: [] })
  // As new items of other lists as well.
  const other = await follow({ intake: 'direct', tag: 'Other' })
  await read(id, [rejected])
  await read(direct.id, [deleted, untagged])
  await read(other.id, [rejected, deleted])
  expect(await videosOf([deleted])).toEqual([])
  expect(await videosOf([rejected, untagged])).toMatchObject([
    { reviewState: 'rejected', tags: ['Mix'] },
    { reviewState: null, tags: [] },
  ])
  // Not even when the deleted video has been purged.
  await sql`delete from deleted_videos`.execute(catalogue.db)
  await read(direct.id, [deleted])
  expect(await videosOf([deleted])).toEqual([])
})

it('a video of the library gets the tag only, and one that users submitted stays under review', async () => {
  const [known = '', submitted = ''] = youtubeIds(2)
  const add = (as: typeof catalogue.user, id: string) =>
    catalogue.call('POST', '/api/videos', { as, body: { urls: [`https://youtu.be/${id}`] } })
  await add(catalogue.admin, known)
  await add(catalogue.user, submitted)
  const { id } = await follow({ intake: 'direct', category: 'Classics' })
  await read(id, [known, submitted])
  expect(await videosOf([known, submitted])).toMatchObject([
    { category: 'New Video Submissions', tags: ['Mix'], reviewState: null },
    { tags: ['Mix'], reviewState: 'submitted' },
  ])
  const updated = await catalogue.events('catalogue.video.updated.v1')
  expect(updated.at(-1)?.data.video).toMatchObject({ youtubeId: known, tags: ['Mix'] })
  expect((await submissions()).at(-1)).toMatchObject({
    followedList: 'The Mix',
    submittedBy: catalogue.user.id,
  })
  // It is in a followed list, so it stays when its only submitter leaves.
  await catalogue.publishEvent('auth.user.deleted.v1', { userId: catalogue.user.id })
  expect(await videosOf([submitted])).toHaveLength(1)
})

it('a reading that is published twice adds nothing twice', async () => {
  const { id } = await follow({ intake: 'direct' })
  const ids = youtubeIds(3)
  await read(id, ids)
  await read(id, [...ids, ...ids.slice(0, 1)])
  expect(await videosOf(ids)).toHaveLength(3)
  expect(await lists()).toMatchObject([{ newCount: 3 }])
})

it('with onlyNew, adds what comes after the first reading, in however many parts', async () => {
  const { id } = await follow({ intake: 'direct', onlyNew: true })
  const [first = '', second = '', third = ''] = youtubeIds(3)
  await read(id, [first], { isLast: false })
  await read(id, [second])
  await read(id, [first, second, third])
  expect((await videosOf([first, second, third])).map(({ youtubeId }) => youtubeId)).toEqual([third])
  expect(await lists()).toMatchObject([{ newCount: 1 }])
})

it('answers for a paused or former list change nothing', async () => {
  const { id } = await follow({ intake: 'direct' })
  const ids = youtubeIds(1)
  await admin('PATCH', `${PATH}/${id}`, { isPaused: true })
  await read(id, ids)
  await read(randomUUID(), ids)
  await fail(id, {})
  await fail(randomUUID(), {})
  expect(await videosOf(ids)).toEqual([])
  expect(await lists()).toMatchObject([{ problem: null, checkedAt: null }])
})

it('asks for what is new, and once a day for everything', async () => {
  const { id } = await follow({ url: 'https://www.youtube.com/@newest' })
  expect(await requestsOf(id)).toMatchObject([
    { kind: 'handle', id: '@newest', playlistId: null, etag: null },
  ])
  const newestIds = youtubeIds(2)
  await read(id, [], { playlistId: 'UUx', newestIds })
  await requestDueLists(catalogue.db)
  expect(await requestsOf(id)).toHaveLength(1)
  await sql`update followed_lists set next_check_at = now()`.execute(catalogue.db)
  await requestDueLists(catalogue.db)
  expect(await lastRequestOf(id)).toMatchObject({ playlistId: 'UUx', etag: 'etag-1', newestIds })
  await read(id, [], { isFull: false })
  // In one statement: the service's own task may request the list too.
  await sql`update followed_lists
    set next_check_at = now(), fully_read_at = now() - interval '25 hours'`.execute(catalogue.db)
  await requestDueLists(catalogue.db)
  expect(await lastRequestOf(id)).toMatchObject({ playlistId: null, etag: null, newestIds: [] })
})

it('shows why a check failed and since when, until one succeeds', async () => {
  const { id } = await follow()
  await fail(id, { code: 'refused', message: 'API key not valid' })
  const [first] = await lists()
  expect(first.problem).toMatchObject({ code: 'refused', message: 'API key not valid', continuesAt: null })
  await fail(id, { code: 'refused', message: 'again' })
  expect((await lists())[0].problem).toEqual({ ...first.problem, message: 'again' })
  const continuesAtMs = Date.now() + 5 * 3_600_000
  await fail(id, { code: 'quota_exhausted', continuesAtMs })
  const continuesAt = new Date(continuesAtMs).toISOString()
  expect((await lists())[0]).toMatchObject({
    nextCheckAt: continuesAt,
    problem: { code: 'quota_exhausted', continuesAt },
  })
  await read(id, [])
  expect((await lists())[0].problem).toBeNull()
})

it('asks again when the worker does not answer, and at once when it has lost its queue', async () => {
  const { id } = await follow()
  await sql`update followed_lists set next_check_at = now()`.execute(catalogue.db)
  await requestDueLists(catalogue.db)
  expect(await requestsOf(id)).toHaveLength(2)
  expect((await lists())[0]).toMatchObject({ isChecking: true, problem: { code: 'no_answer' } })
  await read(id, [])
  const answered = await follow()
  await read(answered.id, [])
  const lost = await follow()
  await catalogue.publishEvent('metadata.queue.emptied.v1', {})
  await requestDueLists(catalogue.db)
  expect(await requestsOf(lost.id)).toHaveLength(2)
  expect(await requestsOf(answered.id)).toHaveLength(1)
  expect((await lists()).map((list: { problem: unknown }) => list.problem)).toEqual([null, null, null])
})

it('of several replicas, one asks', async () => {
  const { id } = await follow()
  await sql`update followed_lists set next_check_at = now()`.execute(catalogue.db)
  await Promise.all(Array.from({ length: 4 }, () => requestDueLists(catalogue.db)))
  expect(await requestsOf(id)).toHaveLength(2)
})

it('checks a list on request, at most once a minute', async () => {
  const { id } = await follow()
  await read(id, [])
  expect(await admin('POST', `${PATH}/${id}/check`)).toMatchObject({
    status: 429,
    body: { code: 'rate_limited' },
  })
  await sql`update followed_lists set checked_at = now() - interval '61 s'`.execute(catalogue.db)
  expect((await admin('POST', `${PATH}/${id}/check`)).body).toMatchObject({ isChecking: true })
  expect(await requestsOf(id)).toHaveLength(2)
})

it('deletes the items that left a list first, of more than 20,000', async () => {
  const { id } = await follow()
  await sql`
    insert into followed_items (list_id, youtube_id, seen_at)
    select ${id}::uuid, 'old' || n, now() - interval '60 days' - n * interval '1 s' from generate_series(1, 20000) n`.execute(
    catalogue.db,
  )
  expect(await storeItems(catalogue.db, id, ['old20000', 'new1', 'new2'])).toEqual(['new1', 'new2'])
  await deleteOldItems(catalogue.db, id)
  expect(await storeItems(catalogue.db, id, ['old20000', 'old19998', 'old19997'])).toEqual(['old19998'])
})

it('finds due lists by their index', async () => {
  const planned = plannedDb<Database>(catalogue.config.databaseUrl, { isSmall: true })
  const plan = await planned.plansOf(() => takeDueLists(planned.db, 50))
  await planned.stop()
  expect(plan).toContain('followed_lists_due')
})
