import type { PlaylistExportPage, VideoExportPage } from '@looptide/contracts/http/exports'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertVideos } from '../src/features/videos/video-repository.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'
import { someVideos } from './_videos.ts'

let catalogue: CatalogueHarness
beforeAll(async () => {
  catalogue = await startCatalogue()
})
afterAll(() => catalogue.close())

/** All items of a part, and the number of pages. */
async function readAll<T>(path: string, as = catalogue.user): Promise<{ items: T[]; pages: number }> {
  const items: T[] = []
  let cursor: string | null = null
  let pages = 0
  do {
    const query: string = cursor === null ? '' : `?cursor=${cursor}`
    const { status, body } = await catalogue.call('GET', `/api/export/${path}${query}`, { as })
    expect(status).toBe(200)
    items.push(...body.items)
    cursor = body.nextCursor
    pages += 1
  } while (cursor !== null)
  return { items, pages }
}

it('a heavy account gets all playlists with entries and all videos that it added, in pages', async () => {
  const { db, user, other } = catalogue
  const videos = await insertVideos(db, someVideos(100))
  await sql`insert into youtube_playlists (id, name, user_id, is_active)
    select gen_random_uuid(), 'List ' || n, ${user.id}, n > 1 from generate_series(1, 200) n`.execute(db)
  await sql`insert into youtube_playlists (id, name, user_id)
    select gen_random_uuid(), 'Theirs', ${other.id} from generate_series(1, 5) n`.execute(db)
  await sql`insert into youtube_playlist_items (id, playlist_id, video_id, position, added_by)
    select gen_random_uuid(), p.id, v.id, row_number() over (partition by p.id order by v.id) - 1, p.user_id
    from youtube_playlists p cross join videos v`.execute(db)
  await sql`update videos set user_id = ${user.id} where id = any(${videos.slice(0, 7).map(({ id }) => id)})`.execute(
    db,
  )
  const { items: playlists, pages } = await readAll<PlaylistExportPage['items'][number]>('playlists')
  expect([playlists.length, pages]).toEqual([200, 10])
  expect(playlists.filter(({ isDeleted }) => isDeleted)).toHaveLength(1)
  expect(new Set(playlists.map(({ entries }) => entries.length))).toEqual(new Set([100]))
  const ids = playlists[0]!.entries.map(({ videoId }) => videoId)
  expect(ids).toEqual(ids.toSorted())
  expect(JSON.stringify(playlists)).not.toContain('Theirs')
  const added = await readAll<VideoExportPage['items'][number]>('videos')
  expect(added.items.map(({ videoId }) => videoId).toSorted()).toEqual(
    videos
      .slice(0, 7)
      .map(({ id }) => id)
      .toSorted(),
  )
  expect((await readAll('videos', other)).items).toEqual([])
})

it('a submission is exported with its state, to each of its submitters', async () => {
  const { user, other } = catalogue
  for (const as of [user, other])
    await catalogue.call('POST', '/api/videos', { as, body: { urls: ['https://youtu.be/exportedvid'] } })
  for (const as of [user, other]) {
    const { items } = await readAll<VideoExportPage['items'][number]>('videos', as)
    expect(items.find(({ url }) => url.includes('exportedvid'))).toMatchObject({
      state: 'submitted',
      reason: null,
    })
  }
})

it('a broken cursor is refused, and visitors get nothing', async () => {
  for (const part of ['playlists', 'videos']) {
    for (const cursor of ['x', 'WzFd', 'WyJ4Il0'])
      expect(
        (await catalogue.call('GET', `/api/export/${part}?cursor=${cursor}`, { as: catalogue.user })).status,
      ).toBe(400)
    expect((await catalogue.call('GET', `/api/export/${part}`)).status).toBe(401)
  }
})
