import { type Kysely, sql } from 'kysely'

/**
 * Creates `followed_lists`, the YouTube playlists and channels whose new items are added, and `followed_items`, the items
 * that were seen in them. A video under review remembers the list that it came from.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table followed_lists (
      id uuid primary key,
      url text not null,
      source_kind text not null check (source_kind in ('playlist', 'channel', 'handle', 'user')),
      source_name text not null,
      playlist_id text,
      title text,
      intake text not null check (intake in ('submissions', 'direct')),
      category text not null,
      tag text not null check (length(tag) between 1 and 40),
      only_new boolean not null,
      is_paused boolean not null default false,
      item_count integer,
      new_count integer not null default 0,
      last_new_at timestamptz(3),
      requested_at timestamptz(3),
      checked_at timestamptz(3),
      next_check_at timestamptz(3) not null,
      fully_read_at timestamptz(3),
      etag text,
      newest_ids text[] not null default '{}',
      problem_code text,
      problem_message text,
      problem_since timestamptz(3),
      problem_continues_at timestamptz(3),
      created_by uuid,
      created_at timestamptz(3) not null default now(),
      unique (source_kind, source_name)
    )`.execute(db)
  await sql`create index followed_lists_due on followed_lists (next_check_at) where not is_paused`.execute(db)
  await sql`
    create table followed_items (
      list_id uuid not null references followed_lists (id) on delete cascade,
      youtube_id text not null,
      seen_at timestamptz(3) not null default now(),
      primary key (list_id, youtube_id)
    )`.execute(db)
  await sql`alter table submissions add column followed_list text`.execute(db)
}
