import type { TagList } from '@looptide/contracts/http/videos'
import { sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'

/** Newest tagged videos that are read. */
const MAX_READ = 20_000
const MAX_LISTED = 500

/** The most frequent tags of the newest accepted videos in lower case, most frequent first. */
export async function listTags(db: Queries): Promise<TagList['items']> {
  const { rows } = await sql<{ tag: string; videoCount: number }>`
    select lower(tag) as tag, count(*) as video_count
    from (
      select tags from videos where tags <> '{}' and review_state is null order by created_at desc limit ${MAX_READ}
    ) tagged cross join unnest(tagged.tags) tag
    group by 1 order by 2 desc, 1 limit ${MAX_LISTED}`.execute(db)
  return rows
}

/** Appends a tag to these videos, and returns their rows. */
export function appendTag(db: Queries, ids: readonly string[], tag: string): Promise<VideoRow[]> {
  return db
    .updateTable('videos')
    .set({ tags: sql<string[]>`array_append(tags, ${tag})` })
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .returningAll()
    .execute()
}
