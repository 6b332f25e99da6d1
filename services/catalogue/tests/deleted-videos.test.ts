import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pruneDeleted } from '../src/features/deleted-videos/deleted-video-repository.ts'
import { insertVideos } from '../src/features/videos/video-repository.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'
import { someVideos } from './_videos.ts'

let catalogue: CatalogueHarness
let count = 0
beforeAll(async () => {
  catalogue = await startCatalogue()
})
afterAll(() => catalogue.close())

const asAdmin = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  catalogue.call(method, path, { as: catalogue.admin, ...(body && { body }) })
const add = async (videoCount: number): Promise<{ id: string; url: string }[]> => {
  count += videoCount
  const urls = Array.from(
    { length: videoCount },
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
/** A row with all columns. */
const rowOf = async (table: 'videos' | 'deleted_videos', id: string) =>
  (await sql<object>`select * from ${sql.table(table)} where id = ${id}`.execute(catalogue.db)).rows[0]

it('a deleted video is in no list, search, count, playlist or export, and is restored unchanged', async () => {
  const { id } = await addOne()
  await asAdmin('PATCH', `/api/videos/${id}`, {
    title: 'Vanishing Song',
    artistName: 'Vanishing Band',
    category: 'Classics',
  })
  await catalogue.call('POST', `/api/videos/${id}/views`, { as: catalogue.user })
  const playlist = (
    await catalogue.call('POST', '/api/playlists', { as: catalogue.user, body: { name: 'Mine' } })
  ).body.id
  const others = await add(2)
  for (const other of others) await asAdmin('PATCH', `/api/videos/${other.id}`, { title: 'Another Song' })
  for (const videoId of [others[0]?.id, id, others[1]?.id]) {
    await catalogue.call('POST', `/api/playlists/${playlist}/items`, {
      as: catalogue.user,
      body: { videoId },
    })
  }
  for (const videoId of [others[0]?.id, id, others[1]?.id]) {
    await asAdmin('POST', '/api/curation', { videoId, sectionType: 'category', sectionName: 'Picks' })
  }
  const containsVideo = (items: { id: string }[]) => items.some((item) => item.id === id)
  const seen = async () => {
    const home = (await catalogue.call('GET', '/api/home')).body
    const picks = home.rows.find((row: { title: string }) => row.title === 'Picks').videos
    const items = (await catalogue.call('GET', `/api/playlists/${playlist}/items`, { as: catalogue.user }))
      .body.items
    return {
      lists: await Promise.all(
        [
          '/api/videos',
          '/api/videos?sort=title&category=Classics',
          '/api/videos?q=vanishing',
          '/api/videos?all=true',
          '/api/videos?all=true&q=vanishing',
        ].map(async (path) => containsVideo((await asAdmin('GET', path)).body.items)),
      ),
      ids: (await asAdmin('GET', '/api/videos/ids')).body.items.includes(id),
      search: containsVideo((await catalogue.call('GET', '/api/search?q=vanishing')).body.videos),
      artists: (await catalogue.call('GET', '/api/search?q=vanishing')).body.artists,
      direct: (await catalogue.call('GET', `/api/videos/${id}`)).status,
      lookup: (await catalogue.call('GET', `/api/videos/lookup?ids=${id}`)).body.items.length,
      total: (await asAdmin('GET', '/api/videos?all=true&limit=1')).body.total,
      totalOfCategory: (await catalogue.call('GET', '/api/videos?limit=1&category=Classics')).body.total,
      playlist: items.map((item: { video: { id: string } }) => item.video.id),
      itemCount: (await catalogue.call('GET', `/api/playlists/${playlist}`, { as: catalogue.user })).body
        .itemCount,
      picks: picks.map((video: { id: string }) => video.id),
      exported: (
        await (
          await fetch(`${catalogue.service.url}/api/videos/export`, {
            method: 'POST',
            headers: { ...catalogue.admin.headers, 'content-type': 'application/json' },
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
  expect((await catalogue.events('catalogue.video.removed.v1')).at(-1)?.data).toEqual({ videoId: id })
  expect((await asAdmin('GET', '/api/videos/deleted')).body).toMatchObject({
    items: [{ video: { id, title: 'Vanishing Song', viewCount: 1 } }],
    nextCursor: null,
    total: 1,
  })
  for (const path of [`/api/videos/${id}`]) {
    expect((await asAdmin('PATCH', path, { title: 'No' })).status).toBe(404)
  }
  expect((await catalogue.call('POST', `/api/videos/${id}/views`, { as: catalogue.user })).status).toBe(404)

  expect((await restore([id])).body).toEqual({ count: 1, conflicts: 0 })
  expect(await seen()).toEqual(before)
  expect(await rowOf('videos', id)).toEqual(row)
  expect((await catalogue.events('catalogue.video.added.v1')).at(-1)?.data.video).toMatchObject({
    id,
    title: 'Vanishing Song',
  })
  expect(await deletedIds()).toEqual([])
  const actions = (await catalogue.events('catalogue.audit.recorded.v1')).map(({ data }) => data.action)
  expect(actions).toEqual(expect.arrayContaining(['video.delete', 'video.restore']))
  expect((await restore([id])).body).toEqual({ count: 0, conflicts: 0 })
})

it('many deleted videos are restored at once and published as bulk events', async () => {
  const ids = (await add(60)).map(({ id }) => id)
  // Deleting more than 20 at once needs the guard, which is unreachable here.
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
  const before = (await catalogue.events('catalogue.videos.added.v1')).length
  expect((await restore(ids)).body).toEqual({ count: 60, conflicts: 0 })
  const bulk = (await catalogue.events('catalogue.videos.added.v1')).slice(before)
  expect(bulk.flatMap(({ data }) => data.videos.map(({ id }) => id)).toSorted()).toEqual(ids.toSorted())
})

it('adding a deleted URL again as an admin restores the deleted video', async () => {
  const { id, url } = await addOne()
  await asAdmin('PATCH', `/api/videos/${id}`, { title: 'Edited before' })
  await remove([id])
  const { body } = await asAdmin('POST', '/api/videos', { urls: [url, 'https://youtu.be/brandnew001'] })
  expect(body.added).toBe(2)
  expect(body.lines[0]).toMatchObject({ result: 'added', video: { id, title: 'Edited before' } })
  expect(await deletedIds()).toEqual([])
  expect((await asAdmin('POST', '/api/videos', { urls: [url] })).body.lines[0].result).toBe('duplicate')
})

it('a deleted video whose URL a user has submitted again cannot be restored', async () => {
  const { id, url } = await addOne()
  await remove([id])
  const { body } = await catalogue.call('POST', '/api/videos', { as: catalogue.user, body: { urls: [url] } })
  const submitted = body.lines[0].video.id
  expect(submitted).not.toBe(id)
  expect((await restore([id])).body).toEqual({ count: 0, conflicts: 1 })
  expect(await deletedIds()).toEqual([id])
  expect((await asAdmin('DELETE', '/api/videos/deleted', { ids: [id] })).body).toEqual({ count: 1 })
  expect(await deletedIds()).toEqual([])
  expect((await restore([id])).body).toEqual({ count: 0, conflicts: 0 })
})

it('adding a deleted media file again restores the same video', async () => {
  const url = 'https://media.example/gone.mp4'
  const first = (await asAdmin('POST', '/api/videos', { urls: [url] })).body.lines[0].video.id
  await remove([first])
  expect((await asAdmin('POST', '/api/videos', { urls: [url] })).body.lines[0].video.id).toBe(first)
})

it('playlist items are restored only in playlists that are active and not full', async () => {
  const { id } = await addOne()
  const create = async () =>
    (await catalogue.call('POST', '/api/playlists', { as: catalogue.other, body: { name: 'List' } })).body.id
  const [inactive, full, open] = [await create(), await create(), await create()]
  for (const playlist of [inactive, full, open]) {
    await catalogue.call('POST', `/api/playlists/${playlist}/items`, {
      as: catalogue.other,
      body: { videoId: id },
    })
  }
  await remove([id])
  await catalogue.call('DELETE', `/api/playlists/${inactive}`, { as: catalogue.other })
  await sql`update youtube_playlists set item_count = 1000 where id = ${full}`.execute(catalogue.db)
  await restore([id])
  const { rows } = await sql<{ playlistId: string }>`
    select playlist_id from youtube_playlist_items where video_id = ${id}`.execute(catalogue.db)
  expect(rows).toEqual([{ playlistId: open }])
})

it('deleted videos are purged after 30 days, and lose the id of a deleted account', async () => {
  const [old, recent] = await add(2)
  const { body } = await asAdmin('GET', '/api/videos/deleted')
  expect(body.items).toEqual([])
  await remove([old?.id ?? '', recent?.id ?? ''])
  const userId = randomUUID()
  await sql`update deleted_videos set user_id = ${userId}`.execute(catalogue.db)
  await sql`update deleted_videos set deleted_at = now() - interval '30 days 1 minute' where id = ${old?.id}`.execute(
    catalogue.db,
  )
  await pruneDeleted(catalogue.db, 30, new AbortController().signal)
  expect(await deletedIds()).toEqual([recent?.id])
  await catalogue.publishEvent('auth.user.deleted.v1', { userId })
  expect(await rowOf('deleted_videos', recent?.id ?? '')).toMatchObject({ userId: null })
})

it('stored playlist items of deleted videos are deleted with the account', async () => {
  const { id } = await addOne()
  const playlist = (
    await catalogue.call('POST', '/api/playlists', { as: catalogue.user, body: { name: 'Mine' } })
  ).body.id
  await catalogue.call('POST', `/api/playlists/${playlist}/items`, {
    as: catalogue.user,
    body: { videoId: id },
  })
  await remove([id])
  await catalogue.publishEvent('auth.user.deleted.v1', { userId: catalogue.user.id })
  const { rows } = await sql`select from deleted_playlist_items where video_id = ${id}`.execute(catalogue.db)
  expect(rows).toEqual([])
  expect((await restore([id])).body.count).toBe(1)
})

it('deleted_videos has every column of videos', async () => {
  const columns = async (table: string) =>
    (
      await sql<{ columnName: string; dataType: string }>`
        select column_name, data_type from information_schema.columns
        where table_name = ${table} and table_schema = current_schema() order by column_name`.execute(
        catalogue.db,
      )
    ).rows
  const own = await columns('videos')
  expect(own.length).toBeGreaterThan(20)
  expect(
    (await columns('deleted_videos')).filter(
      ({ columnName }) => !['deleted_at', 'job_id'].includes(columnName),
    ),
  ).toEqual(own)
})

it('only admins list, restore and purge deleted videos', async () => {
  const ids = [randomUUID()]
  for (const as of [catalogue.user, catalogue.moderator]) {
    expect((await catalogue.call('GET', '/api/videos/deleted', { as })).status).toBe(403)
    expect((await catalogue.call('POST', '/api/videos/restore', { as, body: { ids } })).status).toBe(403)
    expect((await catalogue.call('DELETE', '/api/videos/deleted', { as, body: { ids } })).status).toBe(403)
  }
  expect((await asAdmin('DELETE', '/api/videos/deleted', { ids })).body).toEqual({ count: 0 })
})

it('concurrent deletes and restores of the same videos end in one of the two states', async () => {
  const ids = (await add(20)).map(({ id }) => id)
  await Promise.all(
    Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? remove(ids) : restore(ids.toReversed()))),
  ).then((answers) => expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200)))
  const { rows } = await sql<{ listed: number; deleted: number }>`
    select (select count(*) from videos where id = any(${ids}::uuid[])) as listed,
      (select count(*) from deleted_videos where id = any(${ids}::uuid[])) as deleted`.execute(catalogue.db)
  expect([
    { listed: 20, deleted: 0 },
    { listed: 0, deleted: 20 },
  ]).toContainEqual(rows[0])
})

it('a restored video has the number of likes that was published while it was deleted', async () => {
  const [video] = await insertVideos(catalogue.db, someVideos(1))
  if (video === undefined) throw new Error('no video')
  const publish = (likeCount: number, version: number) =>
    catalogue.publishEvent('audience.likes.changed.v1', {
      videos: [{ videoId: video.id, likeCount, version }],
    })
  const updates = (await catalogue.events('catalogue.video.updated.v1')).length
  await publish(5, 2)
  await remove([video.id])
  await publish(3, 3)
  await publish(4, 1)
  await restore([video.id])
  expect((await catalogue.call('GET', `/api/videos/${video.id}`)).body.likeCount).toBe(3)
  // Likes are no change of the video that others would have to apply.
  expect((await catalogue.events('catalogue.video.updated.v1')).length).toBe(updates)
})
