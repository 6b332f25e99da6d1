import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertVideos } from '../src/features/videos/video-repository.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'
import { someVideos } from './_videos.ts'

let catalogue: CatalogueHarness
let videoIds: string[] = []
beforeAll(async () => {
  catalogue = await startCatalogue()
  videoIds = (await insertVideos(catalogue.db, someVideos(6))).map((video) => video.id)
})
afterAll(() => catalogue.close())

const create = async (name: string) =>
  (await catalogue.call('POST', '/api/playlists', { as: catalogue.user, body: { name } })).body
const own = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) =>
  catalogue.call(method, `/api/playlists${path}`, {
    as: catalogue.user,
    ...(body === undefined ? {} : { body }),
  })
const restriction = { restrictionId: crypto.randomUUID(), restrictionType: 'restricted' as const }

it('a new playlist is private, without shuffle and loop, with auto-advance', async () => {
  const { status, body } = await catalogue.call('POST', '/api/playlists', {
    as: catalogue.user,
    body: { name: '  Mine  ', description: ' ' },
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    name: 'Mine',
    description: null,
    shuffleMode: false,
    loopMode: 'off',
    autoAdvance: true,
    isPublic: false,
    itemCount: 0,
    userId: catalogue.user.id,
  })
  expect((await catalogue.call('POST', '/api/playlists', { body: { name: 'x' } })).status).toBe(401)
  expect((await own('POST', '', { name: '   ' })).body.code).toBe('validation_failed')
})

it('a playlist is visible to other users only if it is public', async () => {
  const { id } = await create('Secret')
  const path = `/api/playlists/${id}`
  const other = { as: catalogue.other }
  expect((await catalogue.call('GET', path, other)).status).toBe(404)
  expect((await catalogue.call('GET', `${path}/items`)).status).toBe(404)
  expect((await own('PATCH', `/${id}`, { isPublic: true, loopMode: 'single' })).body).toMatchObject({
    isPublic: true,
  })
  expect((await catalogue.call('GET', path)).body.loopMode).toBe('single')
  expect((await catalogue.call('PATCH', path, { ...other, body: { name: 'Theirs' } })).status).toBe(403)
  const seen = await catalogue.call('GET', `/api/playlists?userId=${catalogue.user.id}`, other)
  expect(seen.body.items.map((playlist: { name: string }) => playlist.name)).toEqual(['Secret'])
  const mine = await own('GET', '')
  expect(mine.body.items.map((playlist: { name: string }) => playlist.name)).toEqual(['Secret', 'Mine'])
})

it('keeps its items in order, and accepts a new order only with all current items', async () => {
  const { id } = await create('Ordered')
  await Promise.all(videoIds.map((videoId) => own('POST', `/${id}/items`, { videoId })))
  const items = (await own('GET', `/${id}/items`)).body.items as { id: string; position: number }[]
  expect(items.map((item) => item.position)).toEqual([0, 1, 2, 3, 4, 5])
  const turned = items.map((item) => item.id).toReversed()
  expect((await own('PUT', `/${id}/items/order`, { ids: turned.slice(1) })).status).toBe(409)
  expect((await own('PUT', `/${id}/items/order`, { ids: turned })).status).toBe(204)
  const first = (await own('GET', `/${id}/items?limit=4`)).body
  const rest = (await own('GET', `/${id}/items?limit=4&cursor=${first.nextCursor}`)).body
  expect([...first.items, ...rest.items].map((item: { id: string }) => item.id)).toEqual(turned)
  expect((await own('DELETE', `/${id}/items/${turned[0]}`)).status).toBe(204)
  expect((await own('GET', `/${id}`)).body.itemCount).toBe(5)
  const videoId = rest.items.at(-1).video.id
  const again = await own('POST', `/${id}/items`, { videoId })
  expect(again.body).toMatchObject({ position: 6, video: { id: videoId } })
  await catalogue.call('DELETE', '/api/videos', { as: catalogue.admin, body: { ids: [videoId] } })
  expect((await own('GET', `/${id}`)).body.itemCount).toBe(4)
})

it('creates one default playlist on first use, with each video once, also for concurrent requests', async () => {
  const [videoId] = (await insertVideos(catalogue.db, someVideos(1))).map((video) => video.id)
  const put = (list: string, as = catalogue.other) =>
    catalogue.call('PUT', `/api/playlists/${list}/videos/${videoId}`, { as })
  const answers = await Promise.all(Array.from({ length: 8 }, () => put('default')))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(answers.filter(({ body }) => body.added)).toHaveLength(1)
  expect(new Set(answers.map(({ body }) => body.item.id)).size).toBe(1)
  const lists = (await catalogue.call('GET', '/api/playlists', { as: catalogue.other })).body.items
  expect(lists).toMatchObject([{ name: 'My List', isDefault: true, isPublic: false, itemCount: 1 }])
  const { playlist, item } = answers[0]!.body
  const entries = `/api/playlists/entries?videoId=${videoId}`
  expect((await catalogue.call('GET', entries, { as: catalogue.other })).body.items).toEqual([
    { playlistId: playlist.id, itemId: item.id },
  ])
  expect((await catalogue.call('GET', entries, { as: catalogue.user })).body.items).toEqual([])
  expect((await catalogue.call('GET', entries)).status).toBe(401)
  expect((await put(playlist.id, catalogue.user)).status).toBe(404)
  expect((await catalogue.call('PUT', `/api/playlists/default/videos/${videoId}`)).status).toBe(401)
  const nothing = `/api/playlists/default/videos/${crypto.randomUUID()}`
  expect((await catalogue.call('PUT', nothing, { as: catalogue.other })).status).toBe(404)
  await catalogue.call('DELETE', `/api/playlists/${playlist.id}`, { as: catalogue.other })
  expect((await put('default')).body).toMatchObject({ added: true, playlist: { itemCount: 1 } })
})

it('adds a video at a given position', async () => {
  const { id } = await create('Undone')
  const videos = (await insertVideos(catalogue.db, someVideos(3))).map((video) => video.id)
  for (const videoId of videos) await own('POST', `/${id}/items`, { videoId })
  const items = async () =>
    (await own('GET', `/${id}/items`)).body.items as { id: string; video: { id: string } }[]
  const [, second] = await items()
  await own('DELETE', `/${id}/items/${second?.id}`)
  expect((await own('POST', `/${id}/items`, { videoId: videos[1], position: 1 })).body.position).toBe(1)
  expect((await items()).map((item) => item.video.id)).toEqual(videos)
})

it('hides a private video of a public playlist from other users', async () => {
  const { id } = await create('Mixed')
  const [shown, hidden] = (await insertVideos(catalogue.db, someVideos(2))).map((video) => video.id)
  for (const videoId of [shown, hidden]) await own('POST', `/${id}/items`, { videoId })
  await own('PATCH', `/${id}`, { isPublic: true })
  await catalogue.db.updateTable('videos').set({ isPublic: false }).where('id', '=', hidden!).execute()
  const seen = (await catalogue.call('GET', `/api/playlists/${id}/items`)).body.items
  expect(seen.map((item: { video: { id: string } }) => item.video.id)).toEqual([shown])
})

it('a playlist stays private while its owner is restricted', async () => {
  const { id } = await create('Restricted')
  await catalogue.publishEvent('auth.user.restricted.v1', {
    ...restriction,
    userId: catalogue.user.id,
    reason: 'noise',
    expiresAt: null,
  })
  const refused = await own('PATCH', `/${id}`, { isPublic: true })
  expect(refused).toMatchObject({ status: 403, body: { code: 'user_restricted' } })
  expect((await own('PATCH', `/${id}`, { shuffleMode: true })).status).toBe(200)
  await catalogue.publishEvent('auth.user.unrestricted.v1', { ...restriction, userId: catalogue.user.id })
  expect((await own('PATCH', `/${id}`, { isPublic: true })).status).toBe(200)
})

it('an anonymous user has private playlists, and neither publishes them nor adds videos', async () => {
  const as = await catalogue.identity.createUser('user', { isAnonymous: true })
  const { status, body } = await catalogue.call('POST', '/api/playlists', { as, body: { name: 'Mine' } })
  expect(status).toBe(201)
  const path = `/api/playlists/${body.id}`
  expect((await catalogue.call('PATCH', path, { as, body: { shuffleMode: true } })).status).toBe(200)
  expect(await catalogue.call('PATCH', path, { as, body: { isPublic: true } })).toMatchObject({
    status: 403,
    body: { code: 'forbidden', message: 'Create an account to share playlists.' },
  })
  expect(await catalogue.call('POST', '/api/videos', { as, body: { videos: [] } })).toMatchObject({
    status: 403,
    body: { code: 'forbidden', message: 'Create an account to add videos.' },
  })
})

it('a playlist disappears when it or its owner is deleted', async () => {
  const { id } = await create('Gone')
  expect((await own('DELETE', `/${id}`)).status).toBe(204)
  expect((await own('GET', `/${id}`)).status).toBe(404)
  expect((await own('DELETE', `/${id}`)).status).toBe(404)
  await catalogue.publishEvent('auth.user.deleted.v1', { userId: catalogue.user.id })
  expect((await own('GET', '')).body.items).toEqual([])
})

it('deletes the rows of a deleted user in statements of at most a thousand rows each', async () => {
  const { db, other, publishEvent } = catalogue
  const tables = ['youtube_playlists', 'youtube_playlist_items', 'view_marks', 'videos']
  await sql`create table changed_rows (table_name text, count integer)`.execute(db)
  await sql`create function record_count() returns trigger language plpgsql as $$
    begin
      insert into changed_rows select tg_table_name, count(*) from affected;
      return null;
    end $$`.execute(db)
  await sql`insert into videos
      (id, title, artist_name, artist_given, duration_ms, duration_assumed, video_url, is_public, metadata_status, user_id)
    select gen_random_uuid(), 'many ' || n, 'Somebody', true, 1000, false, 'https://example.org/many/' || n, false,
      'resolved', ${other.id}
    from generate_series(1, 2500) n`.execute(db)
  await sql`insert into youtube_playlists (id, user_id, name)
    select gen_random_uuid(), ${other.id}, 'many ' || n from generate_series(1, 1500) n`.execute(db)
  await sql`insert into youtube_playlist_items (id, playlist_id, video_id, position)
    select gen_random_uuid(), p.id, v.id, 0
    from (select id from youtube_playlists where user_id = ${other.id} limit 1) p,
      (select id from videos where user_id = ${other.id}) v`.execute(db)
  await sql`insert into view_marks (viewer_id, video_id, counted_at)
    select ${other.id}, id, now() from videos where user_id = ${other.id}`.execute(db)
  for (const table of tables) {
    for (const operation of ['delete', 'update']) {
      await sql`create trigger ${sql.ref(`record_${operation}`)} after ${sql.raw(operation)} on ${sql.table(table)}
        referencing old table as affected for each statement execute function record_count()`.execute(db)
    }
  }
  await publishEvent('auth.user.deleted.v1', { userId: other.id })
  const { rows } = await sql<{ tableName: string; most: number; sum: number }>`
    select table_name, max(count) as most, sum(count)::int as sum from changed_rows
    group by table_name order by table_name`.execute(db)
  expect(rows.map(({ tableName }) => tableName)).toEqual(tables.toSorted())
  for (const { most, sum } of rows) {
    expect(most).toBeLessThanOrEqual(1000)
    expect(sum).toBeGreaterThanOrEqual(2500)
  }
  const left = sql<{
    n: number
  }>`select count(*)::int as n from youtube_playlists where user_id = ${other.id}`
  expect((await left.execute(db)).rows).toEqual([{ n: 0 }])
})

it('a video that is deleted while it is added is not found, without a deadlock', async () => {
  const { id } = await create('Deleted meanwhile')
  const [video] = await insertVideos(catalogue.db, someVideos(1))
  const videoId = video?.id ?? ''
  expect((await own('POST', `/${id}/items`, { videoId })).status).toBe(201)
  const isWaiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `.execute(catalogue.db)
    return rows.length > 0
  }
  const adding = catalogue.db.transaction().execute(async (trx) => {
    await trx.selectFrom('videos').select('id').where('id', '=', videoId).forUpdate().execute()
    const request = own('POST', `/${id}/items`, { videoId })
    await until('the request waits for the video', isWaiting)
    await trx.deleteFrom('videos').where('id', '=', videoId).execute()
    return { request }
  })
  expect((await (await adding).request).status).toBe(404)
})
