import { newId } from '@looptide/service-kit/db/ids'
import { until } from '@looptide/testkit/until'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  likePattern,
  searchArtists,
  searchByText,
  searchVideos,
} from '../src/features/search/search-repository.ts'
import {
  insertVideos,
  type NewVideo,
  patchVideo,
  setPending,
} from '../src/features/videos/video-repository.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'

/** Texts that are hard for LIKE patterns, case folding or the gram index. */
const HARD_TEXTS = [
  'a & b',
  'x#x',
  '100%',
  'under_score',
  'back\\slash',
  "Guns N' Roses",
  'AC/DC',
  'P!nk',
  '%',
  '_',
  '\\',
  'Ünïcödé',
  'ÜNÏCÖDÉ',
  'ΑΛΦΑ βήτα ΟΔΟΣ',
  'ДДТ — Что такое осень',
  '東京事変',
  '방탄소년단',
  'İstanbul',
  'straße STRASSE',
  '🎸🎸 solo',
  'é',
  'e\u0301',
  'ab',
  'aba',
  'a',
  '  two  blanks',
  'tab\there',
  'line\nbreak',
  'ǅ ǆ Ǆ',
  'ﬁne',
]
const words = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HARD_TEXTS) },
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
)
const clean = (text: string) => text.replaceAll('\0', '').replaceAll('\u001f', '').toWellFormed()

let catalogue: CatalogueHarness
beforeAll(async () => {
  catalogue = await startCatalogue()
  const texts = fc.sample(fc.tuple(words, words, words, words), { numRuns: 600, seed: 7 })
  const videos = texts.map(toVideo)
  for (let from = 0; from < videos.length; from += 150) {
    // A full partition is closed by the next insert.
    await catalogue.db.updateTable('searchPartitions').set({ documentCount: 20_000 }).execute()
    await insertVideos(catalogue.db, videos.slice(from, from + 150))
  }
})
afterAll(() => catalogue.close())

const toVideo = ([title, artistName, description, genre]: string[], n: number): NewVideo => ({
  id: newId(),
  title: clean(title ?? ''),
  artistName: clean(artistName ?? ''),
  artistGiven: true,
  description: n % 3 === 0 ? null : clean(description ?? ''),
  genre: n % 4 === 0 ? null : clean(genre ?? ''),
  category: null,
  durationMs: 1000,
  durationAssumed: true,
  thumbnailUrl: null,
  videoUrl: `https://media.example/${n}.mp4`,
  youtubeId: null,
  isPublic: n % 10 !== 0,
  metadataStatus: n % 9 === 4 ? 'unavailable' : 'resolved',
  unavailableReason: null,
  userId: null,
})

async function plainIlike(text: string, limit: number): Promise<string[]> {
  const pattern = likePattern(text)
  const { rows } = await sql<{ id: string }>`
    select id from videos where is_public and metadata_status <> 'unavailable' and (title ilike ${pattern} or artist_name ilike ${pattern}
      or description ilike ${pattern} or genre ilike ${pattern})
    order by created_at desc, id desc limit ${limit}`.execute(catalogue.db)
  return rows.map((row) => row.id)
}

const queries = fc.oneof(
  words,
  fc
    .tuple(fc.constantFrom(...HARD_TEXTS), fc.nat(6), fc.integer({ min: 1, max: 4 }))
    .map(([text, from, length]) => [...text].slice(from, from + length).join('')),
)

it('finds the same videos as a plain ILIKE, in the same order, by scan and by index', async () => {
  await fc.assert(
    fc.asyncProperty(
      queries,
      fc.constantFrom(1, 20),
      fc.constantFrom(0, 30, 1000),
      async (text, limit, newestScanned) => {
        fc.pre(clean(text) === text && text !== '')
        const found = await searchVideos(catalogue.db, text, limit, newestScanned)
        expect(found.map((video) => video.id)).toEqual(await plainIlike(text, limit))
      },
    ),
    { numRuns: 400 },
  )
})

it('assigns every document to the partition of its creation time', async () => {
  const { rows } = await sql<{ partitions: number; misplaced: number }>`
    select (select count(*)::int from search_partitions where starts_at > '-infinity') as partitions,
      (select count(*)::int from video_documents where partition_id <> partition_of(created_at)) as misplaced`.execute(
    catalogue.db,
  )
  expect(rows).toEqual([{ partitions: 4, misplaced: 0 }])
})

it('inserts a video into the next partition if a concurrent insert closes the newest one', async () => {
  const [first, second] = [
    toVideo(['First', 'Somebody', '', ''], 10_001),
    toVideo(['Second', 'Somebody else', '', ''], 10_002),
  ]
  await catalogue.db.updateTable('searchPartitions').set({ documentCount: 20_000 }).execute()
  const closing = await catalogue.db.startTransaction().execute()
  await insertVideos(closing, [first])
  await until('the next partition has started', async () => {
    const { rows } = await sql<{ started: boolean }>`
      select max(starts_at) < clock_timestamp() as started from search_partitions`.execute(closing)
    return rows[0]?.started
  })
  const waiting = catalogue.db.transaction().execute((trx) => insertVideos(trx, [second]))
  await until('the second insert waits for the lock', async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      catalogue.db,
    )
    return rows.length > 0
  })
  await closing.commit().execute()
  await waiting
  const { rows } = await sql<{ partitions: number; misplaced: number }>`
    select count(distinct partition_id)::int as partitions, count(*) filter (where partition_id <> partition_of(created_at))::int as misplaced
    from video_documents where video_id in (${first.id}, ${second.id})`.execute(catalogue.db)
  expect(rows).toEqual([{ partitions: 2, misplaced: 0 }])
})

it('chooses one to five grams of a query, and every document that contains the query has them all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 8 }), async (parts) => {
      const text = clean(parts.join(' '))
      fc.pre(text !== '')
      const { rows } = await sql<{ count: number; fits: boolean }>`
        select count(*)::int as count,
          index_keys(lower(${`before ${text}after`}), 7) @> array_agg(index_key(gram, 7)) as fits
        from unnest(query_grams(lower(${text}))) gram`.execute(catalogue.db)
      expect(rows[0]).toEqual({ count: expect.toSatisfy((count) => count >= 1 && count <= 5), fits: true })
    }),
    { numRuns: 300 },
  )
})

it('chooses word-boundary grams, which distinguish texts of the same words', async () => {
  const boundaryGramsOf = async (text: string) => {
    const { rows } = await sql<{ gram: string }>`
      select gram from unnest(array['vera', 'inhe', 'rtlo']) gram
      where gram = any(query_grams(${text}))`.execute(catalogue.db)
    return rows.map(({ gram }) => gram)
  }
  expect(await boundaryGramsOf('love rain heart')).toEqual(['vera', 'inhe'])
  expect(await boundaryGramsOf('rain heart love')).toEqual(['inhe', 'rtlo'])
})

it('chooses the trigrams at both ends of a query', async () => {
  const hasTrigram = async (text: string, trigram: string) => {
    const { rows } = await sql<{ has: boolean }>`
      select query_grams(${trigram}) <@ query_grams(${text}) as has`.execute(catalogue.db)
    return rows[0]?.has
  }
  expect(await hasTrigram('official music video b', 'o b')).toBe(true)
  expect(await hasTrigram('x official music video', 'x o')).toBe(true)
  expect(await hasTrigram('x official music videotape by the sea', 'x o')).toBe(true)
  expect(await hasTrigram('official music videotape by the sea', 'sea')).toBe(true)
  expect(await hasTrigram('officialmusicvideox', 'eox')).toBe(true)
  expect(await hasTrigram('xofficialmusicvideo', 'xof')).toBe(true)
})

it('finds artists by a part of their name, those with the most listed videos first', async () => {
  await fc.assert(
    fc.asyncProperty(queries, fc.constantFrom(0, 2000), async (text, topScanned) => {
      fc.pre(clean(text) === text && text !== '')
      const pattern = likePattern(text)
      const { rows } = await sql`
        select artist_name as name, count(*)::int as "videoCount" from videos
        where is_public and metadata_status <> 'unavailable' and artist_name ilike ${pattern} group by 1 order by 2 desc, 1 limit 5`.execute(
        catalogue.db,
      )
      expect(await searchArtists(catalogue.db, text, 5, topScanned)).toEqual(rows)
      for (const videos of [1, 1000]) {
        const found = await searchByText(catalogue.db, text, { videos, artists: 5 })
        expect(found.artists).toEqual(rows)
      }
    }),
    { numRuns: 100 },
  )
})

it('updates documents, artists and totals with the videos', async () => {
  await sql`update videos set title = 'Zanzibar ' || title, artist_name = artist_name || ' Zed' where id in
    (select id from videos order by id limit 50)`.execute(catalogue.db)
  await sql`update videos set is_public = not is_public where id in
    (select id from videos order by id desc limit 50)`.execute(catalogue.db)
  await sql`update videos set metadata_status = case metadata_status when 'resolved' then 'unavailable' else 'pending' end
    where id in (select id from videos order by md5(title) limit 50)`.execute(catalogue.db)
  await sql`update videos set artist_name = 'Unknown Artist', artist_given = id::text < '8' where id in
    (select id from videos order by md5(title) desc limit 50)`.execute(catalogue.db)
  await sql`delete from videos where id in (select id from videos order by md5(id::text) limit 50)`.execute(
    catalogue.db,
  )
  const { rows } = await sql<{ wrong: number }>`
    select (select count(*) from (
      (select id, lower(concat_ws(chr(31), title, artist_name, coalesce(description, ''), coalesce(genre, ''))) from videos
       where is_public and metadata_status <> 'unavailable')
      except (select video_id, document from video_documents)) a)
    + (select count(*) from video_documents d where not exists (select from videos
       where id = d.video_id and is_public and metadata_status <> 'unavailable'))
    + (select count(*) from (select artist_name, count(*) from videos where is_public and metadata_status <> 'unavailable'
       and (artist_given or artist_name <> 'Unknown Artist') group by 1 except select name, video_count from artists) b)
    + (select count(*) from (select coalesce(category, ''), is_public, count(*), count(*) filter (where metadata_status = 'unavailable')
       from videos group by 1, 2
       except select category, is_public, video_count, unavailable_count from video_totals) c) as wrong`.execute(
    catalogue.db,
  )
  expect(rows).toEqual([{ wrong: 0 }])
  const { rows: named } = await sql<{ id: string }>`select id from videos
    where title like 'Zanzibar %' and is_public and metadata_status <> 'unavailable'`.execute(catalogue.db)
  const found = await searchVideos(catalogue.db, 'zanzibar', 50, 0)
  expect(found.map(({ id }) => id).toSorted()).toEqual(named.map(({ id }) => id).toSorted())
  expect(found).not.toHaveLength(0)
})

it('counts a video for its artist as soon as it is known, and not for the placeholder', async () => {
  const { rows } = await sql<{ id: string }>`
    update videos set artist_name = 'Unknown Artist', artist_given = false, is_public = true, metadata_status = 'pending',
      youtube_id = 'zither_1234' where id = (select id from videos limit 1) returning id`.execute(
    catalogue.db,
  )
  const id = rows[0]?.id ?? ''
  const countOf = async (name: string) =>
    (await searchArtists(catalogue.db, name, 5)).find((artist) => artist.name === name)?.videoCount ?? 0
  const placeholderCount = await countOf('Unknown Artist')
  await patchVideo(catalogue.db, id, { artistName: 'Zither Ensemble', metadataStatus: 'resolved' })
  expect(await countOf('Zither Ensemble')).toBe(1)
  expect(await setPending(catalogue.db, [id])).toMatchObject([{ id, metadataStatus: 'pending' }])
  expect(await countOf('Zither Ensemble')).toBe(1)
  expect(await countOf('Unknown Artist')).toBe(placeholderCount)
})

it('searches over HTTP by text, with artists, or by exact artist, and rejects a blank text', async () => {
  const get = (query: string) => catalogue.call('GET', `/api/search?${query}`)
  const byText = await get(`q=${encodeURIComponent('AC/DC')}&limit=15`)
  expect(byText.body.videos).toHaveLength(15)
  expect(byText.body.artists[0]).toMatchObject({ name: 'AC/DC' })
  const byArtist = await get(`artist=${encodeURIComponent('AC/DC')}&limit=50`)
  expect(new Set(byArtist.body.videos.map((video: { artistName: string }) => video.artistName))).toEqual(
    new Set(['AC/DC']),
  )
  expect((await get('q=%20')).body.code).toBe('validation_failed')
  expect((await get('q=%00')).body.code).toBe('validation_failed')
  expect((await get('q=%1F')).body.code).toBe('validation_failed')
  expect((await get('q=a&limit=51')).status).toBe(400)
})

it('finds a text in every spelling that looks the same', async () => {
  const video = toVideo(['not yet', 'nobody yet', '', ''], 9999)
  const { id } = video
  await insertVideos(catalogue.db, [video])
  const edited = await catalogue.call('PATCH', `/api/videos/${id}`, {
    as: catalogue.admin,
    body: { title: '\u202eDe\u0301ja\u0300\u200b vu ', artistName: 'Beyonce\u0301\u200b' },
  })
  expect(edited.body).toMatchObject({ title: 'Déjà vu', artistName: 'Beyoncé' })
  const found = async (query: string) => {
    const { body } = await catalogue.call('GET', `/api/search?${query}`)
    return body.videos.map((video: { id: string }) => video.id)
  }
  for (const text of ['de\u0301ja\u0300 vu', '\u200bdéjà v', 'dé\ufeffjà'])
    expect(await found(`q=${encodeURIComponent(text)}`)).toEqual([id])
  for (const artist of ['Beyonce\u0301', '\u202aBeyoncé\u202c'])
    expect(await found(`artist=${encodeURIComponent(artist)}`)).toEqual([id])
})
