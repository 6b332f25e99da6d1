import { type Kysely, sql } from 'kysely'

/** Adds tags and trim points to videos, and to deleted videos, which have the same columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['videos', 'deleted_videos']) {
    await sql`
      alter table ${sql.id(table)}
        add column tags text[] not null default '{}',
        add column start_at_ms integer not null default 0,
        add column end_at_ms integer`.execute(db)
  }
  await sql`
    create function lower_tags(tags text[]) returns text[] language sql immutable strict parallel safe as $$
      select coalesce(array_agg(lower(tag)), '{}') from unnest(tags) tag
    $$`.execute(db)
  await sql`
    create function are_tags(tags text[]) returns boolean language sql immutable strict parallel safe as $$
      select count(*) <= 20 and count(distinct tag) = count(*)
        and coalesce(bool_and(length(tag) between 1 and 40 and tag = btrim(tag) and tag not like '%,%'), true)
      from unnest(tags) tag
    $$`.execute(db)
  await sql`alter table videos add constraint videos_tags check (are_tags(tags)) not valid`.execute(db)
  await sql`
    alter table videos add constraint videos_trim_points check (
      start_at_ms >= 0 and (end_at_ms is null or end_at_ms >= start_at_ms + 1000)
    ) not valid`.execute(db)
}
