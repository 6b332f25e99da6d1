import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pruneDeleted } from '../src/features/deleted-videos/deleted-video-repository.ts'
import { type Station, startCatalogue } from './_station.ts'

let station: Station
let count = 0
beforeAll(async () => {
  station = await startCatalogue()
})
afterAll(() => station.close())

const asAdmin = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  station.call(method, path, { as: station.admin, ...(body && { body }) })
const add = async (wanted: number): Promise<{ id: string; url: string }[]> => {
  count += wanted
  const urls = Array.from(
    { length: wanted },
    (_, n) => `https://youtu.be/gone${String(count - n).padStart(7, '0')}`,
  )
  const { body } = await asAdmin('POST', '/api/videos', { urls })
  return body.lines.map((line: { url: string; video: { id: string } }) => ({
    id: line.video.id,
    url: line.url,
  }))
}
const addOne = async () => {
  const [video] = await add(1)
  if (video === undefined) throw new Error('no video was added')
  return video
}
const remove = (ids: string[]) => asAdmin('DELETE', '/api/videos', { ids })
const restore = (ids: string[]) => asAdmin('POST', '/api/videos/restore', { ids })
const deletedIds = async (): Promise<string[]> =>
  (await asAdmin('GET', '/api/videos/deleted')).body.items.map(
    (item: { video: { id: string } }) => item.video.id,
  )
/** Every column of a row, in the library or deleted. */
const rowOf = async (table: 'videos' | 'deleted_videos', id: string) =>
  (await sql<object>`select * from ${sql.table(table)} where id = ${id}`.execute(station.db)).rows[0]

it('a deleted video is in no list, search, count, playlist or event, and comes back as it was', async () => {
  const { id } = await addOne()
  await asAdmin('PATCH', `/api/videos/${id}`, {
    title: 'Vanishing Song',
    artistName: 'Vanishing Band',
    category: 'Classics',
  })
  await station.call('POST', `/api/videos/${id}/views`, { as: station.user })
  const playlist = (
    await station.call('POST', '/api/playlists', { as: station.user, body: { name: 'Mine' } })
  ).body.id
  const others = await add(2)
  for (const videoId of [others[0]?.id, id, others[1]?.id]) {
    await station.call('POST', `/api/playlists/${playlist}/items`, { as: station.user, body: { videoId } })
  }
  for (const videoId of [others[0]?.id, id, others[1]?.id]) {
    await asAdmin('POST', '/api/curation', { videoId, sectionType: 'category', sectionName: 'Picks' })
  }
  const idsOf = (items: { id: string }[]) => items.some((item) => item.id === id)
  const seen = async () => {
    const home = (await station.call('GET', '/api/home')).body
    const picks = home.rows.find((row: { title: string }) => row.title === 'Picks').videos
    const items = (await station.call('GET', `/api/playlists/${playlist}/items`, { as: station.user })).body
      .items
    return {
      lists: await Promise.all(
        [
          '/api/videos',
          '/api/videos?sort=title&category=Classics',
          '/api/videos?q=vanishing',
          '/api/videos?all=true',
          '/api/videos?all=true&q=vanishing',
        ].map(async (path) => idsOf((await asAdmin('GET', path)).body.items)),
      ),
      ids: (await asAdmin('GET', '/api/videos/ids')).body.items.includes(id),
      search: idsOf((await station.call('GET', '/api/search?q=vanishing')).body.videos),
      artists: (await station.call('GET', '/api/search?q=vanishing')).body.artists,
      direct: (await station.call('GET', `/api/videos/${id}`)).status,
      lookup: (await station.call('GET', `/api/videos/lookup?ids=${id}`)).body.items.length,
      total: (await asAdmin('GET', '/api/videos?all=true&limit=1')).body.total,
      totalOfCategory: (await station.call('GET', '/api/videos?limit=1&category=Classics')).body.total,
      playlist: items.map((item: { video: { id: string } }) => item.video.id),
      itemCount: (await station.call('GET', `/api/playlists/${playlist}`, { as: station.user })).body
        .itemCount,
      picks: picks.map((video: { id: string }) => video.id),
      exported: (
        await (
          await fetch(`${station.service.url}/api/videos/export`, {
            method: 'POST',
            headers: { ...station.admin.headers, 'content-type': 'application/json' },
            body: '{}',
          })
        ).text()
      ).includes('Vanishing Song'),
    }
  }
  const before = await seen()
  const row = await rowOf('videos', id)
  expect(before).toMatchObject({ lists: Array(5).fill(true), search: true, direct: 200, itemCount: 3 })

  expect((await remove([id])).body).toEqual({ count: 1 })
  expect(await seen()).toEqual({
    lists: Array(5).fill(false),
    ids: false,
    search: false,
    artists: [],
    direct: 404,
    lookup: 0,
    total: before.total - 1,
    totalOfCategory: before.totalOfCategory - 1,
    playlist: [others[0]?.id, others[1]?.id],
    itemCount: 2,
    picks: [others[0]?.id, others[1]?.id],
    exported: false,
  })
  expect((await station.events('catalogue.video.removed.v1')).at(-1)?.data).toEqual({ videoId: id })
  expect((await asAdmin('GET', '/api/videos/deleted')).body).toMatchObject({
    items: [{ video: { id, title: 'Vanishing Song', viewCount: 1 } }],
    nextCursor: null,
    total: 1,
  })
  for (const path of [`/api/videos/${id}`]) {
    expect((await asAdmin('PATCH', path, { title: 'No' })).status).toBe(404)
  }
  expect((await station.call('POST', `/api/videos/${id}/views`, { as: station.user })).status).toBe(404)

  expect((await restore([id])).body).toEqual({ count: 1, conflicts: 0 })
  expect(await seen()).toEqual(before)
  expect(await rowOf('videos', id)).toEqual(row)
  expect((await station.events('catalogue.video.added.v1')).at(-1)?.data.video).toMatchObject({
    id,
    title: 'Vanishing Song',
  })
  expect(await deletedIds()).toEqual([])
  const actions = (await station.events('catalogue.audit.recorded.v1')).map(({ data }) => data.action)
  expect(actions).toEqual(expect.arrayContaining(['video.delete', 'video.restore']))
  expect((await restore([id])).body).toEqual({ count: 0, conflicts: 0 })
})

it('deleted videos are restored in bulk, and published in bulk', async () => {
  const ids = (await add(60)).map(({ id }) => id)
  // More at once are asked of the guard, which is not there.
  for (let first = 0; first < 60; first += 20) await remove(ids.slice(first, first + 20))
  expect((await asAdmin('GET', '/api/videos/deleted?limit=100')).body).toMatchObject({ total: 60 })
  let cursor: string | null = null
  const listed: string[] = []
  do {
    const { body } = await asAdmin('GET', `/api/videos/deleted?limit=7${cursor ? `&cursor=${cursor}` : ''}`)
    listed.push(...body.items.map((item: { video: { id: string } }) => item.video.id))
    cursor = body.nextCursor
  } while (cursor !== null)
  expect(listed.toSorted()).toEqual(ids.toSorted())
  const before = (await station.events('catalogue.videos.added.v1')).length
  expect((await restore(ids)).body).toEqual({ count: 60, conflicts: 0 })
  const bulk = (await station.events('catalogue.videos.added.v1')).slice(before)
  expect(bulk.flatMap(({ data }) => data.videos.map(({ id }) => id)).toSorted()).toEqual(ids.toSorted())
})

it('an admin who adds a deleted address again gets the old video back', async () => {
  const { id, url } = await addOne()
  await asAdmin('PATCH', `/api/videos/${id}`, { title: 'Edited before' })
  await remove([id])
  const { body } = await asAdmin('POST', '/api/videos', { urls: [url, 'https://youtu.be/brandnew001'] })
  expect(body.added).toBe(2)
  expect(body.lines[0]).toMatchObject({ result: 'added', video: { id, title: 'Edited before' } })
  expect(await deletedIds()).toEqual([])
  expect((await asAdmin('POST', '/api/videos', { urls: [url] })).body.lines[0].result).toBe('duplicate')
})

it('a deleted address that a user submitted again is not restored over the submission', async () => {
  const { id, url } = await addOne()
  await remove([id])
  const { body } = await station.call('POST', '/api/videos', { as: station.user, body: { urls: [url] } })
  const submitted = body.lines[0].video.id
  expect(submitted).not.toBe(id)
  expect((await restore([id])).body).toEqual({ count: 0, conflicts: 1 })
  expect(await deletedIds()).toEqual([id])
  expect((await asAdmin('DELETE', '/api/videos/deleted', { ids: [id] })).body).toEqual({ count: 1 })
  expect(await deletedIds()).toEqual([])
  expect((await restore([id])).body).toEqual({ count: 0, conflicts: 0 })
})

it('a video file that was deleted and added again is the same video', async () => {
  const url = 'https://media.example/gone.mp4'
  const first = (await asAdmin('POST', '/api/videos', { urls: [url] })).body.lines[0].video.id
  await remove([first])
  expect((await asAdmin('POST', '/api/videos', { urls: [url] })).body.lines[0].video.id).toBe(first)
})

it('entries come back only into playlists that still exist and have room', async () => {
  const { id } = await addOne()
  const create = async () =>
    (await station.call('POST', '/api/playlists', { as: station.other, body: { name: 'List' } })).body.id
  const [gone, full, open] = [await create(), await create(), await create()]
  for (const playlist of [gone, full, open]) {
    await station.call('POST', `/api/playlists/${playlist}/items`, {
      as: station.other,
      body: { videoId: id },
    })
  }
  await remove([id])
  await station.call('DELETE', `/api/playlists/${gone}`, { as: station.other })
  await sql`update youtube_playlists set item_count = 1000 where id = ${full}`.execute(station.db)
  await restore([id])
  const { rows } = await sql<{ playlistId: string }>`
    select playlist_id from youtube_playlist_items where video_id = ${id}`.execute(station.db)
  expect(rows).toEqual([{ playlistId: open }])
})

it('deleted videos are purged after 30 days, and keep no name of a deleted account', async () => {
  const [old, recent] = await add(2)
  const { body } = await asAdmin('GET', '/api/videos/deleted')
  expect(body.items).toEqual([])
  await remove([old?.id ?? '', recent?.id ?? ''])
  const person = randomUUID()
  await sql`update deleted_videos set user_id = ${person}`.execute(station.db)
  await sql`update deleted_videos set deleted_at = now() - interval '30 days 1 minute' where id = ${old?.id}`.execute(
    station.db,
  )
  await pruneDeleted(station.db, 30, new AbortController().signal)
  expect(await deletedIds()).toEqual([recent?.id])
  await station.tell('auth.user.deleted.v1', { userId: person })
  expect(await rowOf('deleted_videos', recent?.id ?? '')).toMatchObject({ userId: null })
})

it('the entries that a deleted account had in its playlists are forgotten with it', async () => {
  const { id } = await addOne()
  const playlist = (
    await station.call('POST', '/api/playlists', { as: station.user, body: { name: 'Mine' } })
  ).body.id
  await station.call('POST', `/api/playlists/${playlist}/items`, { as: station.user, body: { videoId: id } })
  await remove([id])
  await station.tell('auth.user.deleted.v1', { userId: station.user.id })
  const { rows } = await sql`select from deleted_playlist_items where video_id = ${id}`.execute(station.db)
  expect(rows).toEqual([])
  expect((await restore([id])).body.count).toBe(1)
})

it('deleted videos have every column that videos have', async () => {
  const columns = async (table: string) =>
    (
      await sql<{ columnName: string; dataType: string }>`
        select column_name, data_type from information_schema.columns
        where table_name = ${table} and table_schema = current_schema() order by column_name`.execute(
        station.db,
      )
    ).rows
  const own = await columns('videos')
  expect(own.length).toBeGreaterThan(20)
  expect((await columns('deleted_videos')).filter(({ columnName }) => columnName !== 'deleted_at')).toEqual(
    own,
  )
})

it('only admins list, restore and purge; many at once are asked of the guard', async () => {
  const ids = [randomUUID()]
  for (const as of [station.user, station.moderator]) {
    expect((await station.call('GET', '/api/videos/deleted', { as })).status).toBe(403)
    expect((await station.call('POST', '/api/videos/restore', { as, body: { ids } })).status).toBe(403)
    expect((await station.call('DELETE', '/api/videos/deleted', { as, body: { ids } })).status).toBe(403)
  }
  expect((await asAdmin('DELETE', '/api/videos/deleted', { ids })).body).toEqual({ count: 0 })
})

it('deleting and restoring the same videos at the same time ends in one of the two states', async () => {
  const ids = (await add(20)).map(({ id }) => id)
  await Promise.all(
    Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? remove(ids) : restore(ids.toReversed()))),
  ).then((answers) => expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200)))
  const { rows } = await sql<{ there: number; deleted: number }>`
    select (select count(*) from videos where id = any(${ids}::uuid[])) as there,
      (select count(*) from deleted_videos where id = any(${ids}::uuid[])) as deleted`.execute(station.db)
  expect([
    { there: 20, deleted: 0 },
    { there: 0, deleted: 20 },
  ]).toContainEqual(rows[0])
})
