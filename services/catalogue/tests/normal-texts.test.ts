import { newId } from '@looptide/service-kit/db/ids'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { normaliseTexts } from '../src/db/migrations/20261127000000-baseline.ts'
import { insertVideos } from '../src/features/videos/video-repository.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'
import { someVideos } from './_videos.ts'

let catalogue: CatalogueHarness
beforeAll(async () => {
  catalogue = await startCatalogue()
})
afterAll(() => catalogue.close())

it('rows of earlier releases are normalised, tags and artists merged, and the search finds them', async () => {
  const { db } = catalogue
  const videos = someVideos(250).map((video, index) => ({
    ...video,
    title: index === 0 ? '\u3164\u200b' : `\u202ede\u0301ja\u0300 vu ${index}`,
    artistName: index % 2 === 0 ? 'Beyonce\u0301' : 'Beyonc\u00e9',
    genre: 'R\u200bock',
    tags: ['Cafe\u0301', 'CAF\u00c9', 'Live\u200b', 'Rock'],
  }))
  await insertVideos(db, videos)
  // Twice as long in NFC: longer than a tag may be.
  const [tooLong = someVideos(1)[0]!] = someVideos(1)
  await insertVideos(db, [{ ...tooLong, isPublic: false, tags: ['\u0958'.repeat(40)] }])
  await sql`insert into video_edits (edit_id, video_id, old_artist_name, old_artist_given, new_artist_name, new_artist_given)
    values (${newId()}, ${tooLong.id}, 'Beyonce\u0301', true, 'Zoe\u0308', true)`.execute(db)
  const filters = ['Caf\u00e9', 'Cafe\u0301', 'Rock\u200b', 'Rock'].map((name) => ({ id: newId(), name }))
  for (const { id, name } of filters) {
    const filter = JSON.stringify({ text: 'e\u0301', category: null, tag: 'cafe\u0301', sort: 'newest' })
    await sql`insert into video_filters (id, name, filter, created_by) values (${id}, ${name}, ${filter}, ${newId()})`.execute(
      db,
    )
  }
  for (const _time of [1, 2]) {
    await db.transaction().execute((trx) => normaliseTexts(trx))
    const rows = await db
      .selectFrom('videos')
      .selectAll()
      .where('id', '!=', tooLong.id)
      .orderBy('id')
      .execute()
    const kept = await db.selectFrom('videos').select('tags').where('id', '=', tooLong.id).execute()
    expect(kept).toEqual([{ tags: ['\u0958'.repeat(40)] }])
    const { rows: edits } =
      await sql<object>`select old_artist_name, new_artist_name from video_edits`.execute(db)
    expect(edits).toEqual([{ oldArtistName: 'Beyoncé', newArtistName: 'Zoë' }])
    expect(rows.map(({ title }) => title)).toEqual(
      videos.map((_video, index) => (index === 0 ? 'Loading...' : `déjà vu ${index}`)),
    )
    for (const { artistName, genre, tags } of rows)
      expect([artistName, genre, tags]).toEqual(['Beyoncé', 'Rock', ['Café', 'Live', 'Rock']])
    const { rows: artists } = await sql<{ name: string; videoCount: string }>`
      select name, video_count from artists where video_count > 0`.execute(db)
    // Without the video that has no title.
    expect(artists.map(({ name, videoCount }) => [name, Number(videoCount)])).toEqual([['Beyoncé', 249]])
    const saved = await db.selectFrom('videoFilters').selectAll().execute()
    const nameOf = new Map(saved.map(({ id, name }) => [id, name]))
    expect(filters.map(({ id }) => nameOf.get(id))).toEqual(['Café', 'Café (2)', 'Rock (2)', 'Rock'])
    expect(saved[0]?.filter).toMatchObject({ text: 'é', tag: 'café' })
  }
  const found = await catalogue.call('GET', `/api/search?q=${encodeURIComponent('déjà vu 249')}`)
  expect(found.body.videos).toMatchObject([{ title: 'déjà vu 249' }])
})
