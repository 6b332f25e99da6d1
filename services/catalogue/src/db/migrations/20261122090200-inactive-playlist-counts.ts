import { type Kysely, sql } from 'kysely'

/**
 * Stops counting the items of an inactive (deleted) playlist. The count is never shown, and each change of it leaves a
 * dead version of the playlist's row, which makes the deletion of many items slow.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function count_playlist_items() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        update youtube_playlists set item_count = item_count + 1 where id = new.playlist_id and is_active;
      else
        update youtube_playlists set item_count = item_count - 1 where id = old.playlist_id and is_active;
      end if;
      return null;
    end $$`.execute(db)
}
