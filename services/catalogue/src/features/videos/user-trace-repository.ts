import { inBatches } from '@looptide/service-kit/db/batches'
import { sql } from 'kysely'
import type { Queries } from '../../db/schema.ts'

/**
 * Removes a user's id from the videos that the user added, also from deleted ones, and from the submissions that the user
 * decided. The videos stay. Works in batches.
 */
export async function forgetAuthor(db: Queries, userId: string): Promise<void> {
  await inBatches((limit) =>
    sql`update submissions set decided_by = null where video_id = any(array(
      select video_id from submissions where decided_by = ${userId} limit ${limit}))`.execute(db),
  )
  await inBatches((limit) =>
    sql`update videos set user_id = null where id = any(array(
      select id from videos where user_id = ${userId} limit ${limit}))`.execute(db),
  )
  await inBatches((limit) =>
    sql`update deleted_videos set user_id = null where id = any(array(
      select id from deleted_videos where user_id = ${userId} limit ${limit}))`.execute(db),
  )
}
