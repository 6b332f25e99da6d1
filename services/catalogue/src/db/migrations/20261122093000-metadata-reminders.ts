import { type Kysely, sql } from 'kysely'

/**
 * Creates `metadata_reminders`: one row for each video without metadata, or without the duration of its file, with the
 * time of the next request to the metadata worker. A trigger on `videos` maintains it. Adding a YouTube video already
 * requests its metadata, so its first reminder is due 40 s later.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table metadata_reminders (
      video_id uuid primary key references videos (id) on delete cascade,
      due_at timestamptz not null,
      sent integer not null default 0
    )`.execute(db)
  await sql`create index metadata_reminders_due on metadata_reminders (due_at)`.execute(db)
  await sql`
    create function keep_metadata_reminder() returns trigger language plpgsql as $$
    begin
      if new.youtube_id is not null and new.metadata_status = 'pending' then
        insert into metadata_reminders (video_id, due_at) values (new.id, now() + interval '40 s')
        on conflict (video_id) do update set due_at = excluded.due_at, sent = 0;
      elsif new.youtube_id is null and new.duration_assumed then
        insert into metadata_reminders (video_id, due_at) values (new.id, now())
        on conflict (video_id) do nothing;
      elsif tg_op = 'UPDATE' then
        delete from metadata_reminders where video_id = new.id;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger videos_metadata_reminder after insert or update of metadata_status, duration_assumed on videos
    for each row execute function keep_metadata_reminder()`.execute(db)
  await sql`
    insert into metadata_reminders (video_id, due_at)
    select id, now() + interval '40 s' from videos
    where (youtube_id is not null and metadata_status = 'pending') or (youtube_id is null and duration_assumed)
    on conflict do nothing`.execute(db)
}
