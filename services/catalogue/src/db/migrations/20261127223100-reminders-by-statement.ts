import { type Kysely, sql } from 'kysely'

/** Stores the reminders of new videos once for each statement, and checks only tags that there are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function add_metadata_reminders() returns trigger language plpgsql as $$
    begin
      insert into metadata_reminders (video_id, due_at)
      select id, case when youtube_id is null then now() else now() + interval '40 s' end from added
      where case when youtube_id is null then duration_assumed else metadata_status = 'pending' end
      on conflict (video_id) do nothing;
      return null;
    end $$`.execute(db)
  await sql`drop trigger videos_metadata_reminder on videos`.execute(db)
  await sql`
    create trigger videos_metadata_reminder after update of metadata_status, duration_assumed on videos
    for each row execute function keep_metadata_reminder()`.execute(db)
  await sql`
    create trigger videos_metadata_reminders_added after insert on videos referencing new table as added
    for each statement execute function add_metadata_reminders()`.execute(db)
  await sql`
    alter table videos
      drop constraint videos_tags,
      add constraint videos_tags check (tags = '{}' or are_tags(tags)) not valid`.execute(db)
}
