import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDb, migrate } from '@looptide/service-kit/db/db'
import { newId } from '@looptide/service-kit/db/ids'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { freshDatabase } from '@looptide/testkit/postgres'
import { dumpOf, serviceSchemas } from '@looptide/testkit/schema/service-schemas'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrationFolder } from '../src/app.ts'
import { replaces } from '../src/db/migrations/20261123060000-search.ts'
import type { CatalogueDb, Database } from '../src/db/schema.ts'
import { searchArtists, searchVideos } from '../src/features/search/search-repository.ts'
import { insertVideos, type NewVideo } from '../src/features/videos/video-repository.ts'

const SEARCH_MIGRATION = '20261123060000-search'
const QUERIES = ['love rain heart', 'rain', 'o b', '&', 'ö', 'AC/DC', 'zyzzyva', 'absent', '%', 'Unknown']
const TITLES = ['Love rain heart', 'Glove rainy hearts', 'Rain & love', 'Köln zyzzyva', 'Two birds', '100%']
const ARTISTS = ['AC/DC', 'Rainer Heart', 'Unknown Artist', 'Zyzzyva Ensemble', 'Björk']

const here = fileURLToPath(new URL('.', import.meta.url))
let database: Awaited<ReturnType<typeof freshDatabase>>
let db: CatalogueDb

beforeAll(async () => {
  database = await freshDatabase()
  db = createDb<Database>(database.urlFor('catalogue'), createLogger('test', 'silent'), 2, {
    statementMs: null,
  })
  await createEarlierState()
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** Runs the migrations whose names match, without those of later releases. */
async function migrateOnly(isIncluded: (name: string) => boolean): Promise<string[]> {
  // Within the package, so that the migrations find their libraries.
  const folder = await mkdtemp(join(here, '.migrations-'))
  try {
    const files = (await readdir(migrationFolder)).filter((name) => isIncluded(name.replace(/\.ts$/, '')))
    await Promise.all(files.map((name) => symlink(join(migrationFolder, name), join(folder, name))))
    return await migrate(db, folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Migrates to the state before the search migration: as the replaced migrations left it, with videos. */
async function createEarlierState(): Promise<void> {
  await migrateOnly((name) => name < SEARCH_MIGRATION)
  await sql.raw(await readFile(join(here, 'earlier-search.sql'), 'utf8')).execute(db)
  // The migrator reads them in the order of their time, then their name.
  await sql`
    insert into kysely_migration (name, timestamp) select unnest(${replaces}::text[]), ''`.execute(db)
  await sql`update kysely_migration set timestamp = '2026-11-22T22:00:00.000Z'`.execute(db)
  for (let batch = 0; batch < 4; batch += 1) {
    await insertVideos(
      db,
      Array.from({ length: 60 }, (_, n) => makeVideo(batch * 60 + n)),
    )
    // A full partition is closed by the next insert.
    await sql`update search_slices set row_count = 20000`.execute(db)
  }
  await sql`update videos set title = title || ' again', metadata_status = 'unavailable' where title like 'Two%'`.execute(
    db,
  )
  await sql`delete from videos where artist_name = 'Björk'`.execute(db)
}

const makeVideo = (n: number): NewVideo => ({
  id: newId(),
  title: `${TITLES[n % TITLES.length]} ${n}`,
  artistName: ARTISTS[n % ARTISTS.length] ?? '',
  artistGiven: n % 2 === 0,
  description: n % 3 === 0 ? null : `A description of number ${n}`,
  genre: 'Pop',
  category: null,
  durationMs: 1000,
  durationAssumed: false,
  thumbnailUrl: null,
  videoUrl: `https://media.example/${n}.mp4`,
  youtubeId: null,
  isPublic: n % 10 !== 0,
  metadataStatus: 'resolved',
  unavailableReason: null,
  userId: null,
})

/** The search results, by scan and by index. */
async function searchResults() {
  const results = []
  for (const text of QUERIES) {
    const [scanned, indexed] = [await searchVideos(db, text, 100), await searchVideos(db, text, 100, 0)]
    results.push({ text, scanned, indexed, artists: await searchArtists(db, text, 100, 0) })
  }
  return results
}

it('migrates a database with the earlier search to the schema of a new one, with the same results', async () => {
  const videos = await db.selectFrom('videos').selectAll().orderBy('id').execute()
  const totals = await db.selectFrom('videoTotals').selectAll().orderBy('category').execute()
  const results = await searchResults()
  expect(results.filter(({ indexed }) => indexed.length > 0).length).toBeGreaterThan(7)

  expect(await migrateOnly((name) => name <= SEARCH_MIGRATION)).toEqual([SEARCH_MIGRATION])

  expect(await searchResults()).toEqual(results)
  expect(await db.selectFrom('videos').selectAll().orderBy('id').execute()).toEqual(videos)
  expect(await db.selectFrom('videoTotals').selectAll().orderBy('category').execute()).toEqual(totals)
  await migrate(db, migrationFolder)
  const schema = serviceSchemas.find(({ owner }) => owner === 'catalogue')
  if (schema === undefined) throw new Error('The catalogue has a schema file.')
  expect(await dumpOf(database.adminUrl, 'catalogue')).toBe(await readFile(schema.files.sql, 'utf8'))
})

it('finds videos that are added and changed after the migration', async () => {
  const [added] = await insertVideos(db, [{ ...makeVideo(10_001), title: 'Quixotic' }])
  await sql`update videos set title = 'Quixotic too' where title like 'Köln%'`.execute(db)
  const found = await searchVideos(db, 'quixotic', 100, 0)
  const named = await sql<{ id: string }>`
    select id from videos where title like 'Quixotic%' and is_listed(is_public, metadata_status)
    order by created_at desc, id desc`.execute(db)
  expect(found.map(({ id }) => id)).toEqual(named.rows.map(({ id }) => id))
  expect(found.at(0)?.id).toBe(added?.id)
})
