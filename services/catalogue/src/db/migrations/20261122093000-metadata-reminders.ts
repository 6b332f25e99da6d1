import { type Kysely, sql } from 'kysely'

/**
 * One row for each video that waits for its metadata, with the time of the next reminder to the metadata worker. Kept
 * by a trigger on `videos`; a request restarts the schedule.
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
      elsif tg_op = 'UPDATE' and old.metadata_status = 'pending' then
        delete from metadata_reminders where video_id = new.id;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger videos_metadata_reminder after insert or update of metadata_status on videos
    for each row execute function keep_metadata_reminder()`.execute(db)
  await sql`
    insert into metadata_reminders (video_id, due_at)
    select id, now() + interval '40 s' from videos where youtube_id is not null and metadata_status = 'pending'
    on conflict do nothing`.execute(db)
}
