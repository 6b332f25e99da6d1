import { cleanLine, cleanParagraph, textKey } from '@looptide/contracts/text'
import { type Bridge, executeFile } from '@looptide/service-kit/db/bridge'
import { normalTags, rewriteTexts } from '@looptide/service-kit/db/rewrite-texts'
import { type QueryExecutorProvider, sql } from 'kysely'

/** Creates the tables of the catalogue, with the functions and triggers of its search. */
export const up = (db: QueryExecutorProvider): Promise<void> =>
  executeFile(db, new URL('20261127000000-baseline.sql', import.meta.url))

export const bridge: Bridge = {
  states: {
    '20261122080000-artists-known': 'e643dcf',
    '20261123170000-titles-of-bulk-edits': 'a1f7ac93',
    '20261126190000-normal-texts': '17e9159a',
  },
  // What the earlier search had contains nothing that `videos` does not.
  alter: `
    alter table videos
      add column if not exists review_state text,
      add column if not exists review_reason text,
      add column if not exists title_given boolean not null default false,
      add column if not exists thumbnail_given boolean not null default false,
      add column if not exists tags text[] not null default '{}',
      add column if not exists start_at_ms integer not null default 0,
      add column if not exists end_at_ms integer;
    drop index if exists videos_newest, videos_title, videos_artist, videos_unlisted_newest;
    do $$ begin
      if to_regclass('search_slices') is not null then
        drop trigger video_document_added on videos;
        drop trigger video_document_changed on videos;
        drop trigger video_artists_added on videos;
        drop trigger video_artists_removed on videos;
        drop trigger video_artists_changed on videos;
        drop table video_documents, search_slices, artists;
        drop function keep_video_document, fill_search_slices, slice_of, video_document, count_artists,
          counts_for_artist, search_slice_keys, search_key, search_marks, search_spread, search_video_documents,
          search_videos, search_artists;
      end if;
    end $$`,
  convert: async (db, from) => {
    if (from === 'e643dcf') {
      await checkVideos(db)
      await fillSearch(db)
      await fillReminders(db)
    }
    await sql`
      insert into first_start_steps (step)
      select 'demo-library'
      where exists (select from videos) or exists (select from deleted_videos)`.execute(db)
    await normaliseTexts(db)
  },
}

/** Adds the checks of columns that the table did not have. */
async function checkVideos(db: QueryExecutorProvider): Promise<void> {
  await sql`
    alter table videos
      add constraint videos_review check (
        review_state is null or (review_state in ('submitted', 'rejected') and not is_public)
      ),
      add constraint videos_tags check (are_tags(tags)),
      add constraint videos_trim_points check (
        start_at_ms >= 0 and (end_at_ms is null or end_at_ms >= start_at_ms + 1000)
      )`.execute(db)
}

/** Fills the tables of the search: partitions of 16,384 documents, documents and artists. */
async function fillSearch(db: QueryExecutorProvider): Promise<void> {
  await sql`
    insert into search_partitions (starts_at)
    select min(created_at) from (
      select created_at, (row_number() over (order by created_at) - 1) / 16384 as number
      from videos where is_listed(is_public, metadata_status)
    ) numbered
    where number > 0 group by number order by number
    on conflict do nothing`.execute(db)
  await sql`
    insert into video_documents (video_id, created_at, partition_id, document)
    select id, created_at, partition_of(created_at), video_document(title, artist_name, description, genre)
    from videos where is_listed(is_public, metadata_status) order by created_at, id`.execute(db)
  await sql`
    update search_partitions set document_count = filled.documents
    from (select partition_id, count(*) as documents from video_documents group by 1) filled
    where id = filled.partition_id`.execute(db)
  await sql`
    insert into artists (name, document, video_count)
    select artist_name, lower(artist_name), count(*) from videos
    where counts_for_artist(is_public, metadata_status, artist_name, artist_given) group by 1 order by 1`.execute(
    db,
  )
}

async function fillReminders(db: QueryExecutorProvider): Promise<void> {
  await sql`
    insert into metadata_reminders (video_id, due_at)
    select id, now() + interval '40 s' from videos
    where (youtube_id is not null and metadata_status = 'pending') or (youtube_id is null and duration_assumed)`.execute(
    db,
  )
}

const FILTER_NAME_LENGTH = 60

const orNull = (text: string): string | null => cleanLine(text) || null
const orUnchanged = (text: string): string => cleanLine(text) || text
const paragraph = (text: string): string | null => cleanParagraph(text) || null

/**
 * Normalises the texts of the library, as those of requests are. Two tags of a video become one. Triggers merge the artists
 * and update the search. A video whose title shows nothing gets the placeholder, so that "Update Metadata" looks it up
 * again.
 */
export async function normaliseTexts(db: QueryExecutorProvider): Promise<void> {
  const columns = {
    title: (text: string) => cleanLine(text) || 'Loading...',
    artist_name: (text: string) => cleanLine(text) || 'Unknown Artist',
    description: paragraph,
    genre: orNull,
    review_reason: paragraph,
    tags: normalTags,
  }
  await rewriteTexts(db, { table: 'videos', key: ['id'], columns })
  await rewriteTexts(db, { table: 'deleted_videos', key: ['id'], columns })
  await rewriteTexts(db, {
    table: 'video_edits',
    key: ['edit_id', 'video_id'],
    columns: {
      old_title: columns.title,
      new_title: columns.title,
      old_artist_name: columns.artist_name,
      new_artist_name: columns.artist_name,
      old_genre: orNull,
      new_genre: orNull,
      old_tags: normalTags,
      new_tags: normalTags,
    },
  })
  await rewriteTexts(db, {
    table: 'youtube_playlists',
    key: ['id'],
    columns: { name: orUnchanged, description: paragraph },
  })
  await rewriteTexts(db, {
    table: 'home_screen_curation',
    key: ['id'],
    columns: { section_name: orUnchanged },
  })
  await rewriteTexts(db, { table: 'deleted_curation', key: ['id'], columns: { section_name: orUnchanged } })
  await rewriteTexts(db, {
    table: 'followed_lists',
    key: ['id'],
    columns: { title: orNull, tag: orUnchanged },
  })
  await rewriteTexts(db, { table: 'submissions', key: ['video_id'], columns: { followed_list: orNull } })
  await rewriteFilters(db)
}

/** Saved filters, whose names are unique. A name that another filter has already gets a number. */
async function rewriteFilters(db: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from video_filters order by id`.execute(db)
  const taken = new Set(rows.flatMap(({ name }) => (name === cleanLine(name) ? [textKey(name)] : [])))
  const renamed = new Map<string, string>()
  for (const { name } of rows) {
    const base = cleanLine(name) || 'Filter'
    if (base === name) continue
    let free = base
    for (let number = 2; taken.has(textKey(free)); number += 1)
      free = `${base.slice(0, FILTER_NAME_LENGTH - 5)} (${number})`
    taken.add(textKey(free))
    renamed.set(name, free)
  }
  const name = (text: string): string => renamed.get(text) ?? text
  const filter = (value: { text: string; tag: string | null }) => ({
    ...value,
    text: cleanLine(value.text),
    tag: value.tag === null ? null : orNull(value.tag),
  })
  await rewriteTexts(db, { table: 'video_filters', key: ['id'], columns: { name, filter } })
}
