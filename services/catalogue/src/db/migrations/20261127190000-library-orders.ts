import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

const GENRE = sql`left(lower(coalesce(genre, '')), 80)`
const CATEGORY = sql`coalesce(category, '')`
const DURATION = sql`lpad(played_ms(duration_ms, start_at_ms, end_at_ms)::text, 10, '0')`

/** The library by genre, category and duration: of all categories and, except by category, of one. */
const INDEXES = [
  ['videos_accepted_genre', sql`(${GENRE}, id) where review_state is null`],
  ['videos_accepted_category', sql`(${CATEGORY}, id) where review_state is null`],
  ['videos_accepted_duration', sql`(${DURATION}, id) where review_state is null`],
  ['videos_category_genre', sql`(category, ${GENRE}, id)`],
  ['videos_category_duration', sql`(category, ${DURATION}, id)`],
] as const

/** Sorts the library by genre, category and duration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // As `played_ms` of the stream scheduler.
  await sql`
    create or replace function played_ms(duration_ms integer, start_at_ms integer, end_at_ms integer) returns integer
    language sql immutable parallel safe as $$
      select least(end_at_ms, duration_ms)
        - greatest(0, least(start_at_ms, least(end_at_ms, duration_ms) - 1000))
    $$`.execute(db)
  for (const [name, definition] of INDEXES) {
    await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db)
    await sql`create index concurrently ${sql.ref(name)} on videos ${definition}`.execute(db)
  }
}
