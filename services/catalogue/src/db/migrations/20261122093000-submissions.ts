import { type Kysely, sql } from 'kysely'

/**
 * Adds the review of submitted videos. Until a video is accepted, `review_state` is its state and the row is not public;
 * null means accepted, as for every existing row. `submissions` stores the decision, `submitters` every user who submitted
 * the video.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table videos add column review_state text, add column review_reason text`.execute(db)
  await sql`
    alter table videos add constraint videos_review check (
      review_state is null or (review_state in ('submitted', 'rejected') and not is_public)
    ) not valid`.execute(db)
  await sql`
    create table submissions (
      video_id uuid primary key references videos on delete cascade,
      state text not null default 'submitted' check (state in ('submitted', 'accepted', 'rejected')),
      submitted_at timestamptz(3) not null default now(),
      decided_by uuid,
      decided_at timestamptz(3)
    )`.execute(db)
  await sql`create index submissions_waiting on submissions (state, submitted_at, video_id)`.execute(db)
  await sql`create index submissions_decided on submissions (state, decided_at desc, video_id desc)`.execute(
    db,
  )
  await sql`create index submissions_decided_by on submissions (decided_by) where decided_by is not null`.execute(
    db,
  )
  await sql`
    create table submitters (
      user_id uuid not null,
      video_id uuid not null references submissions on delete cascade,
      submitted_at timestamptz(3) not null default now(),
      primary key (user_id, video_id)
    )`.execute(db)
  await sql`create index submitters_recent on submitters (user_id, submitted_at)`.execute(db)
  await sql`create index submitters_of_video on submitters (video_id, submitted_at, user_id)`.execute(db)
  await excludeFromTotals(db)
}

/** Excludes videos under review from all totals, including those of admins. */
async function excludeFromTotals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function count_video_totals() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select coalesce(category, ''), is_public, count(*), count(*) filter (where metadata_status = 'unavailable')
        from added where review_state is null group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      elsif tg_op = 'DELETE' then
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select coalesce(category, ''), is_public, -count(*), -count(*) filter (where metadata_status = 'unavailable')
        from removed where review_state is null group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      else
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select category, is_public, sum(one), sum(case when metadata_status = 'unavailable' then one else 0 end)
        from (values
          (coalesce(old.category, ''), old.is_public, old.metadata_status, old.review_state, -1),
          (coalesce(new.category, ''), new.is_public, new.metadata_status, new.review_state, 1)
        ) v (category, is_public, metadata_status, review_state, one)
        where review_state is null
        group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create or replace trigger video_totals_changed after update on videos for each row
    when (old.category is distinct from new.category or old.is_public <> new.is_public
      or (old.metadata_status = 'unavailable') <> (new.metadata_status = 'unavailable')
      or (old.review_state is null) <> (new.review_state is null))
    execute function count_video_totals()`.execute(db)
}
