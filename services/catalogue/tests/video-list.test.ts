import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../src/db/schema.ts'
import {
  likePattern,
  searchArtists,
  searchVideos,
  videosOfArtist,
} from '../src/features/search/search-repository.ts'
import { FIND_LIMITS, findInList } from '../src/features/videos/find-in-list.ts'
import { type ListOptions, listCursor, listVideos } from '../src/features/videos/list-repository.ts'
import {
  countAddedBy,
  findBySource,
  findWithPlaceholderTitle,
  insertVideos,
  lockByYoutubeId,
  type NewVideo,
} from '../src/features/videos/video-repository.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'
import { someVideos } from './_videos.ts'

const CATEGORIES = ['Must Watch', 'Classics', null]
const WORDS = ['Neon', 'neon', 'Wave', 'ÜNÏ', '100%', 'a_b', 'a', 'Zz']
const SORTS: ListOptions['sort'][] = [
  'newest',
  'title',
  'artist',
  'genre',
  'category',
  'duration',
  'mostLiked',
]

let catalogue: CatalogueHarness
let planned: PlannedDb<Database>
beforeAll(async () => {
  catalogue = await startCatalogue()
  planned = plannedDb<Database>(catalogue.config.databaseUrl)
  await insertVideos(catalogue.db, someVideos(240).map(varied))
  await sql`update videos set like_count = length(title) * 97 % 13`.execute(catalogue.db)
  // Enough rows that the planner never chooses a sequential scan.
  await sql`insert into videos (id, title, artist_name, artist_given, category, duration_ms, duration_assumed,
      video_url, is_public, metadata_status)
    select gen_random_uuid(), 'Filler ' || n, 'Filler ' || n % 90, true, 'Classics', 1000, true,
      'https://media.example/filler-' || n, true, 'resolved' from generate_series(1, 30000) n`.execute(
    catalogue.db,
  )
  await sql`analyze`.execute(catalogue.db)
})
afterAll(async () => {
  await planned.stop()
  await catalogue.close()
})

const word = (n: number): string => WORDS[n % WORDS.length] ?? ''
const varied = (video: NewVideo, n: number): NewVideo => ({
  ...video,
  title: `${word(n)} ${n % 9}`,
  artistName: `${word(n * 3 + 1)} band`,
  genre: n % 4 === 0 ? word(n + 5) : null,
  category: CATEGORIES[n % 3] ?? null,
  isPublic: n % 10 !== 0,
  metadataStatus: n % 8 === 5 ? 'unavailable' : 'resolved',
  durationMs: 1_000 + (n % 50) * 7_000,
})

interface Query {
  text: string
  sort: ListOptions['sort']
  reverse?: boolean
  category: string | undefined
  includePrivate: boolean
}

/** The ids that one plain ILIKE query finds. */
async function plainIlike({
  text,
  sort,
  reverse = false,
  category,
  includePrivate,
}: Query): Promise<string[]> {
  const pattern = likePattern(text)
  const key = {
    newest: sql`-extract(epoch from created_at)`,
    title: sql`left(lower(title), 80)`,
    artist: sql`left(lower(artist_name), 80)`,
    genre: sql`lower(coalesce(genre, ''))`,
    category: category === undefined ? sql`coalesce(category, '')` : sql`lower(title)`,
    duration: sql`duration_ms`,
    mostLiked: sql`-like_count`,
  }
  const { rows } = await sql<{ id: string }>`
    select id from videos where ((is_public and metadata_status <> 'unavailable') or ${includePrivate}) and (title ilike ${pattern} or artist_name ilike ${pattern}
      or description ilike ${pattern} or genre ilike ${pattern})
      and (${category ?? null}::text is null or category = ${category ?? null})
    order by ${key[sort]}, ${sort === 'newest' || sort === 'mostLiked' ? sql`id desc` : sql`id`}`.execute(
    catalogue.db,
  )
  const ids = rows.map((row) => row.id)
  return reverse ? ids.reverse() : ids
}

const queries = fc.record({
  text: fc.constantFrom(...WORDS, 'nothing like it', 'band', 'wave 3'),
  sort: fc.constantFrom(...SORTS),
  reverse: fc.boolean(),
  category: fc.constantFrom(undefined, 'Must Watch'),
  includePrivate: fc.boolean(),
})

it('pages find the same videos as a plain ILIKE, in the same order, by scan and by index', async () => {
  await fc.assert(
    fc.asyncProperty(
      queries,
      fc.constantFrom(7, 40),
      fc.constantFrom(FIND_LIMITS, { maxMatches: 12, maxScanned: 9_000, maxCounted: 9_000 }),
      async (query, limit, findLimits) => {
        const expected = await plainIlike(query)
        const found: string[] = []
        let cursor: string | undefined
        do {
          const page = await findInList(catalogue.db, { ...query, limit, cursor }, findLimits)
          found.push(...page.items.map((video) => video.id))
          cursor = page.nextCursor ?? undefined
          if (page.isTotalCapped) expect(page.total).toBeLessThanOrEqual(expected.length)
          else expect(page.total).toBe(expected.length)
        } while (cursor !== undefined)
        expect(found).toEqual(expected)
      },
    ),
    { numRuns: 40 },
  )
})

it('caps the total of a frequent text at 1,000 for viewers, and counts it for those who edit the library', async () => {
  const options = { text: 'filler', sort: 'newest', limit: 5, includePrivate: false } as const
  expect(await findInList(catalogue.db, options)).toMatchObject({ total: 1000, isTotalCapped: true })
  const counted = await findInList(catalogue.db, { ...options, includePrivate: true })
  const { length } = await plainIlike({ ...options, category: undefined, includePrivate: true })
  expect(length).toBeGreaterThan(1000)
  expect(counted.total).toBe(length)
  expect(counted.isTotalCapped).toBeUndefined()
  const rare = await findInList(catalogue.db, { ...options, category: 'Must Watch' })
  expect(rare).toMatchObject({ items: [], total: 0, nextCursor: null })
  expect(rare.isTotalCapped).toBeUndefined()
})

it('lists over HTTP by text, category and order together, and unlisted videos for admins with all=true only', async () => {
  const get = (query: string) => catalogue.call('GET', `/api/videos?${query}`)
  const { body } = await get('q=%20NEON%20&sort=title&category=Classics&limit=3')
  expect(body.items).toHaveLength(3)
  const titles = body.items.map((video: { title: string }) => video.title.toLowerCase())
  expect(titles).toEqual(titles.toSorted())
  const query = { text: 'neon', sort: 'title', category: 'Classics' } as const
  expect(body.total).toBe((await plainIlike({ ...query, includePrivate: false })).length)
  expect((await get('q=%20&limit=1')).body.total).toBe((await get('limit=1')).body.total)
  // A text without a visible character is no filter.
  expect((await get('q=%1F%E2%80%8B&limit=1')).body).toEqual((await get('limit=1')).body)
  expect((await get(`q=${'x'.repeat(201)}`)).status).toBe(400)
  const path = '/api/videos?all=true&q=neon&sort=title&category=Classics'
  const withAll = await catalogue.call('GET', path, { as: catalogue.admin })
  expect(withAll.body.total).toBe((await plainIlike({ ...query, includePrivate: true })).length)
  expect(withAll.body.total).toBeGreaterThan(body.total)
  expect((await catalogue.call('GET', path, { as: catalogue.user })).status).toBe(403)
  expect((await catalogue.call('GET', path)).status).toBe(401)
})

it('lists the ids of the whole list in pages, for admins only', async () => {
  const idsOf = async (query: string) => {
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await catalogue.call('GET', `/api/videos/ids?${query}${cursor}`, {
        as: catalogue.admin,
      })
      ids.push(...body.items)
      cursor = body.nextCursor && `&cursor=${encodeURIComponent(body.nextCursor)}`
    }
    return ids
  }
  for (const sort of SORTS) {
    const classics = { text: 'wave', sort, category: 'Classics', includePrivate: true }
    const query = `sort=${sort}&q=wave&category=Classics&limit=7`
    expect(await idsOf(query)).toEqual(await plainIlike(classics))
    expect(await idsOf(`${query}&reverse=true`)).toEqual(await plainIlike({ ...classics, reverse: true }))
  }
  const all = await listVideos(catalogue.db, { sort: 'title', limit: 50_000, includePrivate: true })
  expect(await idsOf('sort=title')).toEqual(all.map(({ id }) => id))
  expect((await catalogue.call('GET', '/api/videos/ids', { as: catalogue.user })).status).toBe(403)
  expect((await catalogue.call('GET', '/api/videos/ids')).status).toBe(401)
})

const cases = SORTS.flatMap((sort) =>
  [undefined, 'Classics'].flatMap((category) =>
    [false, true].flatMap((isLater) =>
      [false, true].map((reverse) => ({ sort, reverse, category, isLater })),
    ),
  ),
)

it.each(cases)(
  'the list by $sort (reverse: $reverse) of category $category (later page: $isLater) uses an index and no sort',
  async ({ sort, reverse, category, isLater }) => {
    const options = { sort, reverse, category, limit: 20, includePrivate: false }
    const [row] = await listVideos(catalogue.db, { ...options, limit: 1 })
    if (!row) throw new Error('the list is empty')
    const cursor = isLater
      ? Buffer.from(JSON.stringify(listCursor(sort, row))).toString('base64url')
      : undefined
    const plans = await planned.plansOf(() => listVideos(planned.db, { ...options, cursor }))
    expect(plans).not.toMatch(/Seq Scan|Sort/)
  },
)

it.each(SORTS)('a frequent text is found by a scan of the list by %s in index order', async (sort) => {
  const options = { text: 'filler', sort, category: 'Classics', limit: 20, includePrivate: false }
  const plans = await planned.plansOf(() => findInList(planned.db, options))
  expect(plans).not.toMatch(/Seq Scan on videos|Seq Scan on video_documents|Sort/)
})

it('a rare text is found without a sequential scan', async () => {
  for (const includePrivate of [false, true]) {
    const options = { text: 'wave 3', sort: 'title', limit: 20, includePrivate } as const
    const plans = await planned.plansOf(() => findInList(planned.db, options))
    expect(plans).not.toContain('Seq Scan on videos')
  }
})

it('searches for videos, for artists and for the videos of an artist use an index and no sort', async () => {
  const searches = [
    () => searchVideos(planned.db, 'filler', 50),
    () => searchVideos(planned.db, 'neon', 20),
    () => searchArtists(planned.db, 'filler', 5),
    () => videosOfArtist(planned.db, 'Filler 7', 50),
  ]
  for (const search of searches) expect(await planned.plansOf(search)).not.toMatch(/Seq Scan|Sort/)
})

it.each<[string, () => Promise<unknown>]>([
  [
    'existing videos by YouTube id or URL',
    () => findBySource(planned.db, ['dQw4w9WgXcQ'], ['https://media.example/filler-7']),
  ],
  ['the video of a YouTube id', () => lockByYoutubeId(planned.db, 'dQw4w9WgXcQ')],
  ['videos with the placeholder title', () => findWithPlaceholderTitle(planned.db, 100)],
  [
    'the number of videos that a user has added',
    () => countAddedBy(planned.db, catalogue.user.id, new Date(0)),
  ],
])('%s: uses an index', async (_what, work) => {
  const plans = await planned.plansOf(work)
  expect(plans).not.toContain('Seq Scan')
  expect(plans).toMatch(/Index Cond|videos_loading/)
})
