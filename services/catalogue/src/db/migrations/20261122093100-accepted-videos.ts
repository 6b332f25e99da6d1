import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Restricts list indexes to accepted videos. Any user can submit videos; a list must not scan those under review. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table videos validate constraint videos_review`.execute(db)
  await sql`drop index concurrently if exists videos_accepted_newest`.execute(db)
  await sql`create index concurrently videos_accepted_newest on videos (created_at desc, id desc)
    where review_state is null`.execute(db)
  await sql`drop index concurrently if exists videos_accepted_title`.execute(db)
  await sql`create index concurrently videos_accepted_title on videos (left(lower(title), 80), id)
    where review_state is null`.execute(db)
  await sql`drop index concurrently if exists videos_accepted_artist`.execute(db)
  await sql`create index concurrently videos_accepted_artist on videos (left(lower(artist_name), 80), id)
    where review_state is null`.execute(db)
  await sql`drop index concurrently if exists videos_hidden_newest`.execute(db)
  await sql`create index concurrently videos_hidden_newest on videos (created_at desc, id desc)
    where not is_listed(is_public, metadata_status) and review_state is null`.execute(db)
  for (const replaced of ['videos_newest', 'videos_title', 'videos_artist', 'videos_unlisted_newest']) {
    await sql`drop index concurrently if exists ${sql.id(replaced)}`.execute(db)
  }
}
