import { readFileSync } from 'node:fs'
import { createDb, MIGRATION_TIMEOUTS, migrate } from '@looptide/service-kit/db/db'
import { newId } from '@looptide/service-kit/db/ids'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { freshDatabase, startPostgres, testPostgresVariable } from '@looptide/testkit/postgres'
import { sql } from 'kysely'
import { migrationFolder } from '../../services/catalogue/src/app.ts'
import type { CatalogueDb, Database, Queries } from '../../services/catalogue/src/db/schema.ts'
import { likePattern } from '../../services/catalogue/src/features/search/search-repository.ts'
import { makeVideo, makeWords, random } from './texts.ts'

/** Videos that one statement inserts, as one request of an import. */
const BATCH = 500

export interface Library {
  rowCount: number
  db: CatalogueDb
  /** For a catalogue of its own on the same rows. */
  databaseUrl: string
  cpuMs(): number
  close(): Promise<void>
}

/**
 * A catalogue of `rowCount` public videos in a Postgres of its own, over one connection. `close` deletes it;
 * `cpuMs` returns the processor time of the connection's server process so far, in ms.
 */
export async function openLibrary(rowCount: number): Promise<Library> {
  const postgres = await startPostgres({ isDurable: true })
  process.env[testPostgresVariable] = postgres.url
  const database = await freshDatabase()
  const databaseUrl = database.urlFor('catalogue')
  const db = createDb<Database>(databaseUrl, createLogger('bench', 'warn'), 1, MIGRATION_TIMEOUTS)
  const close = async () => {
    await db.destroy()
    await postgres.stop()
  }
  try {
    await migrate(db, migrationFolder)
    const cpuMs = await cpuClock(db)
    await timed('videos, inserted with all triggers', () => insertVideos(db, rowCount))
    console.log(`processor time of the server process: ${(cpuMs() / rowCount).toFixed(3)} ms a video`)
    await timed('vacuum', () => sql`vacuum analyze videos, video_documents, artists`.execute(db))
    await printSizes(db)
    return { rowCount, db, databaseUrl, close, cpuMs }
  } catch (error) {
    await close()
    throw error
  }
}

/** User and system time of the server process since now, from /proc (proc(5): fields 14 and 15, in hundredths of a second). */
async function cpuClock(db: CatalogueDb): Promise<() => number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const read = () => {
    const stat = readFileSync(`/proc/${rows[0]?.pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
  const startMs = read()
  return () => read() - startMs
}

async function printSizes(db: Queries): Promise<void> {
  const { rows } = await sql<{ documents: string; index: string }>`
    select pg_size_pretty(pg_relation_size('video_documents')) as documents,
      pg_size_pretty(pg_relation_size('video_documents_index_keys')) as index`.execute(db)
  console.log(`documents ${rows[0]?.documents}, their index ${rows[0]?.index}`)
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  await work()
  console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

/** Inserts the videos, the oldest first, a second apart. */
async function insertVideos(db: Queries, rowCount: number): Promise<void> {
  const next = random(1)
  const words = makeWords(next)
  const start = Date.now() - rowCount * 1000
  for (let from = 0; from < rowCount; from += BATCH) {
    const places = Array.from({ length: Math.min(BATCH, rowCount - from) }, (_, n) => from + n)
    const videos = places.map((place) => makeVideo(place, rowCount, words, next))
    await sql`
      insert into videos (id, created_at, title, artist_name, artist_given, description, genre, category, duration_ms,
        duration_assumed, video_url, is_public, metadata_status)
      select id, created_at, title, artist, true, description, genre, 'Classics', 200000, false,
        'https://media.example/' || id || '.mp4', true, 'resolved'
      from unnest(${places.map((place) => newId(start + place * 1000))}::uuid[],
        ${places.map((place) => new Date(start + place * 1000))}::timestamptz[],
        ${videos.map((video) => video.title)}::text[], ${videos.map((video) => video.artist)}::text[],
        ${videos.map((video) => video.description)}::text[], ${videos.map((video) => video.genre)}::text[])
        as made (id, created_at, title, artist, description, genre)`.execute(db)
  }
}

/** Search without an index: four `ILIKE` conditions on the videos. */
export async function plainIlike(db: Queries, text: string, limit: number): Promise<string[]> {
  const pattern = likePattern(text)
  const { rows } = await sql<{ id: string }>`
    select id from videos where is_public and metadata_status <> 'unavailable' and (title ilike ${pattern} or artist_name ilike ${pattern}
      or description ilike ${pattern} or genre ilike ${pattern})
    order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}
