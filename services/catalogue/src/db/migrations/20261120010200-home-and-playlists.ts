import { type Kysely, sql } from 'kysely'

/** Creates home page curation, personal playlists, and the copy of the restricted users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await curation(db)
  await playlists(db)
  await restrictedUsers(db)
}

async function curation(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table home_screen_curation (
      id uuid primary key,
      video_id uuid not null references videos on delete cascade,
      section_type text not null check (section_type in ('hero', 'featured', 'category')),
      section_name text check ((section_type = 'category') = (section_name is not null)),
      position integer not null check (position >= 1),
      is_active boolean not null default true,
      created_by uuid,
      created_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index home_screen_curation_order
    on home_screen_curation (section_type, position, id)`.execute(db)
  await sql`create index home_screen_curation_video on home_screen_curation (video_id)`.execute(db)
}

async function playlists(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table youtube_playlists (
      id uuid primary key,
      name text not null,
      description text,
      user_id uuid not null,
      shuffle_mode boolean not null default false,
      loop_mode text not null default 'off' check (loop_mode in ('off', 'single', 'playlist')),
      auto_advance boolean not null default true,
      is_public boolean not null default false,
      is_active boolean not null default true,
      item_count integer not null default 0,
      created_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index youtube_playlists_of_user
    on youtube_playlists (user_id, created_at desc, id desc) where is_active`.execute(db)
  await sql`
    create table youtube_playlist_items (
      id uuid primary key,
      playlist_id uuid not null references youtube_playlists on delete cascade,
      video_id uuid not null references videos on delete cascade,
      position integer not null check (position >= 0),
      added_by uuid
    )`.execute(db)
  await sql`create index youtube_playlist_items_order
    on youtube_playlist_items (playlist_id, position, id)`.execute(db)
  await sql`create index youtube_playlist_items_video on youtube_playlist_items (video_id)`.execute(db)
  // Deleting a video deletes its playlist items by cascade, so a trigger maintains the count.
  await sql`
    create function count_playlist_items() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        update youtube_playlists set item_count = item_count + 1 where id = new.playlist_id;
      else
        update youtube_playlists set item_count = item_count - 1 where id = old.playlist_id;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger youtube_playlist_items_counted after insert or delete on youtube_playlist_items
    for each row execute function count_playlist_items()`.execute(db)
}

async function restrictedUsers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table restricted_users (
      restriction_id uuid primary key,
      user_id uuid not null,
      expires_at timestamptz
    )`.execute(db)
  await sql`create index restricted_users_of_user on restricted_users (user_id)`.execute(db)
}
