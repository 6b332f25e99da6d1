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
  findLoading,
  findSame,
  insertVideos,
  lockByYoutubeId,
  type NewVideo,
} from '../src/features/videos/video-repository.ts'
import { type Station, startCatalogue } from './_station.ts'
import { someVideos } from './_videos.ts'

const CATEGORIES = ['Must Watch', 'Classics', null]
const WORDS = ['Neon', 'neon', 'Wave', 'ÜNÏ', '100%', 'a_b', 'a', 'Zz']
const SORTS: ListOptions['sort'][] = ['newest', 'title', 'artist']

let station: Station
let planned: PlannedDb<Database>
beforeAll(async () => {
  station = await startCatalogue()
  planned = plannedDb<Database>(station.config.databaseUrl)
  await insertVideos(station.db, someVideos(240).map(varied))
  // Many enough that reading the table from end to end is never the planner's choice.
  await sql`insert into videos (id, title, artist_name, artist_given, category, duration_ms, duration_assumed,
      video_url, is_public, metadata_status)
    select gen_random_uuid(), 'Filler ' || n, 'Filler ' || n % 90, true, 'Classics', 1000, true,
      'https://media.example/filler-' || n, true, 'resolved' from generate_series(1, 30000) n`.execute(
    station.db,
  )
  await sql`analyze`.execute(station.db)
})
afterAll(async () => {
  await planned.stop()
  await station.close()
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
})

type Wish = { text: string; sort: ListOptions['sort']; category: string | undefined; includePrivate: boolean }

/** All of it at once, as plainly as it can be said. */
async function plainly({ text, sort, category, includePrivate }: Wish): Promise<string[]> {
  const pattern = likePattern(text)
  const order = {
    newest: sql`created_at desc, id desc`,
    title: sql`left(lower(title), 80), id`,
    artist: sql`left(lower(artist_name), 80), id`,
  }
  const { rows } = await sql<{ id: string }>`
    select id from videos where ((is_public and metadata_status <> 'unavailable') or ${includePrivate}) and (title ilike ${pattern} or artist_name ilike ${pattern}
      or description ilike ${pattern} or genre ilike ${pattern})
      and (${category ?? null}::text is null or category = ${category ?? null})
    order by ${order[sort]}`.execute(station.db)
  return rows.map((row) => row.id)
}

const wishes = fc.record({
  text: fc.constantFrom(...WORDS, 'nothing like it', 'band', 'wave 3'),
  sort: fc.constantFrom(...SORTS),
  category: fc.constantFrom(undefined, 'Must Watch'),
  includePrivate: fc.boolean(),
})

it('finds page by page what a plain ILIKE finds, in the same order, whichever way it takes', async () => {
  await fc.assert(
    fc.asyncProperty(
      wishes,
      fc.constantFrom(7, 40),
      fc.constantFrom(FIND_LIMITS, { counted: 12, walked: 9_000 }),
      async (wish, limit, most) => {
        const expected = await plainly(wish)
        const found: string[] = []
        let cursor: string | undefined
        do {
          const page = await findInList(station.db, { ...wish, limit, cursor }, most)
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

it('counts a frequent text no further than it must, and says so', async () => {
  const options = { text: 'filler', sort: 'newest', limit: 5, includePrivate: false } as const
  expect(await findInList(station.db, options)).toMatchObject({ total: 1000, isTotalCapped: true })
  const rare = await findInList(station.db, { ...options, category: 'Must Watch' })
  expect(rare).toMatchObject({ items: [], total: 0, nextCursor: null })
  expect(rare.isTotalCapped).toBeUndefined()
})

it('answers over HTTP: by text, category and order together, and the others only to an admin who asks for all', async () => {
  const get = (query: string) => station.call('GET', `/api/videos?${query}`)
  const { body } = await get('q=%20NEON%20&sort=title&category=Classics&limit=3')
  expect(body.items).toHaveLength(3)
  const titles = body.items.map((video: { title: string }) => video.title.toLowerCase())
  expect(titles).toEqual(titles.toSorted())
  const wish = { text: 'neon', sort: 'title', category: 'Classics' } as const
  expect(body.total).toBe((await plainly({ ...wish, includePrivate: false })).length)
  expect((await get('q=%20&limit=1')).body.total).toBe((await get('limit=1')).body.total)
  expect((await get('q=%1F')).body).toEqual({ items: [], nextCursor: null, total: 0 })
  expect((await get(`q=${'x'.repeat(201)}`)).status).toBe(400)
  const path = '/api/videos?all=true&q=neon&sort=title&category=Classics'
  const withAll = await station.call('GET', path, { as: station.admin })
  expect(withAll.body.total).toBe((await plainly({ ...wish, includePrivate: true })).length)
  expect(withAll.body.total).toBeGreaterThan(body.total)
  expect((await station.call('GET', path, { as: station.user })).status).toBe(403)
  expect((await station.call('GET', path)).status).toBe(401)
})

it('lists the ids of what an admin has in the list, by pages, to admins only', async () => {
  const idsOf = async (query: string) => {
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await station.call('GET', `/api/videos/ids?${query}${cursor}`, { as: station.admin })
      ids.push(...body.items)
      cursor = body.nextCursor && `&cursor=${encodeURIComponent(body.nextCursor)}`
    }
    return ids
  }
  for (const sort of SORTS) {
    const classics = { text: 'wave', sort, category: 'Classics', includePrivate: true }
    expect(await idsOf(`sort=${sort}&q=wave&category=Classics&limit=7`)).toEqual(await plainly(classics))
  }
  const all = await listVideos(station.db, { sort: 'title', limit: 50_000, includePrivate: true })
  expect(await idsOf('sort=title')).toEqual(all.map(({ id }) => id))
  expect((await station.call('GET', '/api/videos/ids', { as: station.user })).status).toBe(403)
  expect((await station.call('GET', '/api/videos/ids')).status).toBe(401)
})

const cases = SORTS.flatMap((sort) =>
  [undefined, 'Classics'].flatMap((category) =>
    [false, true].map((isLater) => ({ sort, category, isLater })),
  ),
)

it.each(cases)(
  'the list by $sort of $category, later page: $isLater, is read from an index in order',
  async ({ sort, category, isLater }) => {
    const options = { sort, category, limit: 20, includePrivate: false }
    const [row] = await listVideos(station.db, { ...options, limit: 1 })
    if (!row) throw new Error('the list is empty')
    const cursor = isLater
      ? Buffer.from(JSON.stringify(listCursor(sort, row))).toString('base64url')
      : undefined
    const plans = await planned.plansOf(() => listVideos(planned.db, { ...options, cursor }))
    expect(plans).not.toMatch(/Seq Scan|Sort/)
  },
)

it.each(SORTS)('a frequent text is found by walking the list by %s in its order', async (sort) => {
  const options = { text: 'filler', sort, category: 'Classics', limit: 20, includePrivate: false }
  const plans = await planned.plansOf(() => findInList(planned.db, options))
  expect(plans).not.toMatch(/Seq Scan on videos|Seq Scan on video_documents|Sort/)
})

it('a rare text is found by an index', async () => {
  for (const includePrivate of [false, true]) {
    const options = { text: 'wave 3', sort: 'title', limit: 20, includePrivate } as const
    const plans = await planned.plansOf(() => findInList(planned.db, options))
    expect(plans).not.toContain('Seq Scan on videos')
  }
})

it('a search, for a text, for artists or for the videos of one, is read from an index', async () => {
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
    'what the library has already',
    () => findSame(planned.db, ['dQw4w9WgXcQ'], ['https://media.example/filler-7']),
  ],
  ['the video that YouTube speaks of', () => lockByYoutubeId(planned.db, 'dQw4w9WgXcQ')],
  ['those that still wait for a title', () => findLoading(planned.db, 100)],
  ['what somebody has added', () => countAddedBy(planned.db, station.user.id, new Date(0))],
])('%s is found by an index', async (_what, work) => {
  const plans = await planned.plansOf(work)
  expect(plans).not.toContain('Seq Scan')
  expect(plans).toMatch(/Index Cond|videos_loading/)
})
