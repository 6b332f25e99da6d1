import { type Kysely, sql } from 'kysely'

/** Excludes unavailable videos from viewers' lists and counts. Corrects existing rows in place, as they are few. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The planner inlines the function, so a partial index with the same condition matches.
  await sql`
    create function is_listed(is_public boolean, metadata_status text) returns boolean
    language sql immutable parallel safe as $$ select is_public and metadata_status <> 'unavailable' $$`.execute(
    db,
  )
  await countUnavailable(db)
}

/** Adds `unavailable_count`, a part of `video_count`: admins' lists still include unavailable videos. */
async function countUnavailable(db: Kysely<unknown>): Promise<void> {
  await sql`alter table video_totals add column unavailable_count bigint not null default 0`.execute(db)
  await sql`
    create or replace function count_video_totals() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select coalesce(category, ''), is_public, count(*), count(*) filter (where metadata_status = 'unavailable')
        from added group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      elsif tg_op = 'DELETE' then
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select coalesce(category, ''), is_public, -count(*), -count(*) filter (where metadata_status = 'unavailable')
        from removed group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      else
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select category, is_public, sum(one), sum(case when metadata_status = 'unavailable' then one else 0 end)
        from (values
          (coalesce(old.category, ''), old.is_public, old.metadata_status, -1),
          (coalesce(new.category, ''), new.is_public, new.metadata_status, 1)
        ) v (category, is_public, metadata_status, one)
        group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create or replace trigger video_totals_changed after update on videos for each row
    when (old.category is distinct from new.category or old.is_public <> new.is_public
      or (old.metadata_status = 'unavailable') <> (new.metadata_status = 'unavailable'))
    execute function count_video_totals()`.execute(db)
  await sql`
    update video_totals t set unavailable_count = gone.videos
    from (select coalesce(category, '') as category, is_public, count(*) as videos from videos
      where metadata_status = 'unavailable' group by 1, 2) gone
    where t.category = gone.category and t.is_public = gone.is_public`.execute(db)
}
