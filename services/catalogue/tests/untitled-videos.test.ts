import { createDb } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import type { TestUser } from '@looptide/testkit/identity'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { up } from '../src/db/migrations/20261127110000-untitled-videos.ts'
import { insertVideos } from '../src/features/videos/video-repository.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'
import { someVideos } from './_videos.ts'

let catalogue: CatalogueHarness
beforeAll(async () => {
  catalogue = await startCatalogue()
  await insertVideos(catalogue.db, someVideos(2))
})
afterAll(() => catalogue.close())

const get = async (path: string, as?: TestUser) =>
  (await catalogue.call('GET', path, as === undefined ? {} : { as })).body

async function add(youtubeId: string): Promise<string> {
  const body = { urls: [`https://youtu.be/${youtubeId}`], artistName: 'The Untitled', category: 'Classics' }
  return (await catalogue.call('POST', '/api/videos', { as: catalogue.admin, body })).body.lines[0].video.id
}

const resolve = (youtubeId: string, title: string) =>
  catalogue.publishEvent('metadata.video.resolved.v1', {
    youtubeId,
    title,
    description: null,
    thumbnailUrl: null,
    artistName: null,
    durationMs: 200_000,
    embeddable: true,
    regionBlocked: [],
  })

/** Where a viewer finds a video, and the totals that a viewer sees. */
async function seenBy(id: string, playlistId: string, as?: TestUser) {
  const isIn = (value: unknown) => JSON.stringify(value).includes(id)
  const [list, category, home, search, items] = await Promise.all([
    get('/api/videos', as),
    get('/api/videos?category=Classics&sort=title', as),
    get('/api/home', as),
    get('/api/search?q=untitled', as),
    get(`/api/playlists/${playlistId}/items`, as),
  ])
  return {
    places: [list, category, home, search.videos, items].map(isIn),
    totals: [list.total, category.total],
    artists: search.artists,
  }
}

it('viewers see a video once it has a title; those who edit the library see it at once', async () => {
  const { admin, user, other } = catalogue
  const id = await add('untitledaaa')
  const own = await catalogue.call('POST', '/api/playlists', { as: user, body: { name: 'Mine' } })
  const playlistId = own.body.id
  await catalogue.call('PATCH', `/api/playlists/${playlistId}`, { as: user, body: { isPublic: true } })
  const added = await catalogue.call('POST', `/api/playlists/${playlistId}/items`, {
    as: user,
    body: { videoId: id },
  })
  expect(added.status).toBe(201)

  for (const as of [undefined, other]) {
    expect(await seenBy(id, playlistId, as)).toEqual({
      places: [false, false, false, false, false],
      totals: [2, 0],
      artists: [],
    })
  }
  const all = await get('/api/videos?all=true', admin)
  expect([JSON.stringify(all).includes(id), all.total]).toEqual([true, 3])
  expect(JSON.stringify(await get('/api/videos?all=true&q=untitled', admin))).toContain(id)
  for (const as of [admin, user]) {
    expect(JSON.stringify(await get(`/api/playlists/${playlistId}/items`, as))).toContain(id)
  }

  await resolve('untitledaaa', 'Named at Last')
  expect(await seenBy(id, playlistId, other)).toEqual({
    places: [true, true, true, true, true],
    totals: [3, 1],
    artists: [{ name: 'The Untitled', videoCount: 1 }],
  })
})

it('a video whose metadata is looked up again stays visible', async () => {
  const id = await add('untitledbbb')
  await resolve('untitledbbb', 'Named before')
  await catalogue.call('POST', '/api/videos/update-metadata', { as: catalogue.admin, body: { ids: [id] } })
  expect(JSON.stringify(await get('/api/videos'))).toContain(id)
})

it('the migration corrects documents, artists and totals of videos that were added before it', async () => {
  const state = async () => {
    const { rows } = await sql<{ state: object }>`
      select jsonb_build_object(
        'documents', (select jsonb_agg(video_id order by video_id) from video_documents),
        'artists', (select jsonb_agg(jsonb_build_array(name, video_count) order by name) from artists
          where video_count > 0),
        'totals', (select jsonb_agg(t order by category, is_public) from video_totals t)
      ) as state`.execute(catalogue.db)
    return rows[0]?.state
  }
  await add('untitledccc')
  const expected = await state()
  const isRolledBack = new Error('rolled back')
  const raw = createDb<unknown>(catalogue.config.databaseUrl, createLogger('test', 'silent'), 1, {
    statementMs: null,
  })
  const migrated = raw.transaction().execute(async (trx) => {
    // As the previous release left it.
    await sql`
      insert into video_documents (video_id, created_at, partition_id, document)
      select id, created_at, partition_of(created_at), video_document(title, artist_name, description, genre)
      from videos where title = 'Loading...'`.execute(trx)
    await sql`update artists set video_count = video_count + 1 where name = 'The Untitled'`.execute(trx)
    await sql`update video_totals set unavailable_count = 0 where category = 'Classics'`.execute(trx)
    await sql`drop function is_listed(boolean, text, text) cascade`.execute(trx)
    await sql`drop function counts_for_artist(boolean, text, text, text, boolean) cascade`.execute(trx)
    await up(trx)
    const { rows } = await sql<{ documents: number; artist: number; hidden: number }>`
      select (select count(*)::int from video_documents d join videos v on v.id = d.video_id
          where v.title = 'Loading...') as documents,
        (select video_count::int from artists where name = 'The Untitled') as artist,
        (select unavailable_count::int from video_totals where category = 'Classics') as hidden`.execute(trx)
    expect(rows).toEqual([{ documents: 0, artist: 2, hidden: 1 }])
    throw isRolledBack
  })
  await expect(migrated).rejects.toBe(isRolledBack)
  await raw.destroy()
  expect(await state()).toEqual(expected)
})
