import { type Kysely, sql } from 'kysely'

/**
 * Does not count videos for the placeholder "Unknown Artist". Every new YouTube video has the placeholder until its
 * metadata arrives; counting it made all concurrent inserts wait for the lock of one row, twice per video.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function counts_for_artist(is_public boolean, metadata_status text, artist_name text, artist_given boolean)
    returns boolean language sql immutable parallel safe as $$
      select is_listed(is_public, metadata_status) and (artist_given or artist_name <> 'Unknown Artist')
    $$`.execute(db)
  await sql`
    create or replace function count_artists() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into artists as t select artist_name, lower(artist_name), count(*)
        from added where counts_for_artist(is_public, metadata_status, artist_name, artist_given) group by 1 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      elsif tg_op = 'DELETE' then
        insert into artists as t select artist_name, lower(artist_name), -count(*)
        from removed where counts_for_artist(is_public, metadata_status, artist_name, artist_given) group by 1 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      else
        insert into artists as t select name, lower(name), sum(delta) from (values
          (old.artist_name, -counts_for_artist(
            old.is_public, old.metadata_status, old.artist_name, old.artist_given)::integer),
          (new.artist_name, counts_for_artist(
            new.is_public, new.metadata_status, new.artist_name, new.artist_given)::integer)
        ) v (name, delta)
        group by 1 having sum(delta) <> 0 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create or replace trigger video_artists_changed after update on videos for each row
    when (old.artist_name <> new.artist_name
      or counts_for_artist(old.is_public, old.metadata_status, old.artist_name, old.artist_given)
        <> counts_for_artist(new.is_public, new.metadata_status, new.artist_name, new.artist_given))
    execute function count_artists()`.execute(db)
  await sql`
    update artists set video_count = artists.video_count - nobodys.videos
    from (select artist_name, count(*) as videos from videos
      where is_listed(is_public, metadata_status)
        and not counts_for_artist(is_public, metadata_status, artist_name, artist_given) group by 1) nobodys
    where artists.name = nobodys.artist_name`.execute(db)
}
