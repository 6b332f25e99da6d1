import { sql } from 'kysely'
import type { Queries } from '../../db/schema.ts'

/** Locks the counts of these artists, then the totals: the order in which all writers lock them. */
export async function lockArtistsAndTotals(db: Queries, names: readonly string[]): Promise<void> {
  await lockArtists(db, names)
  await lockTotals(db)
}

async function lockArtists(db: Queries, names: readonly string[]): Promise<void> {
  // Inserts missing artists as well: two writers that insert the same artists in different orders would deadlock, too.
  await sql`
    insert into artists (name, document, video_count)
    select name, lower(name), 0 from unnest(${[...names]}::text[]) name group by 1 order by 1
    on conflict (name) do update set video_count = artists.video_count`.execute(db)
}

async function lockTotals(db: Queries): Promise<void> {
  await sql`select from video_totals order by category, is_public for update`.execute(db)
}

/**
 * Locks all counts that new videos change, in the order of all writers (artists, search partitions, totals), for a
 * transaction that adds videos by several statements.
 */
export async function lockNewVideoCounts(db: Queries, artists: readonly string[]): Promise<void> {
  await lockArtists(db, artists)
  await sql`select pg_advisory_xact_lock(hashtext('catalogue.search_partitions'))`.execute(db)
  await lockTotals(db)
}
