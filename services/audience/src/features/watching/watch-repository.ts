import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/**
 * Counts the time since the last report of the same hour, if it is at most `maxGapMs` ago. Reports of several tabs and
 * devices do not add up, because each counts only the time since the one before. One statement, so that reports that
 * arrive together are counted one after another.
 */
export async function countWatching(
  db: Db<Database>,
  userId: string,
  now: Date,
  maxGapMs: number,
): Promise<void> {
  await sql`
    insert into watch_hours as known (user_id, starts_at, watched_ms, seen_at)
    values (${userId}, date_trunc('hour', ${now}::timestamptz, 'UTC'), 0, ${now})
    on conflict (user_id, starts_at) do update set
      seen_at = greatest(known.seen_at, excluded.seen_at),
      watched_ms = known.watched_ms + case
        when excluded.seen_at > known.seen_at
          and excluded.seen_at <= known.seen_at + ${maxGapMs} * interval '1 millisecond'
        then (extract(epoch from excluded.seen_at - known.seen_at) * 1000)::integer
        else 0 end`.execute(db)
}

/** Time that a user has watched in the hours that began since `since`, in ms. */
export async function watchedSince(db: Db<Database>, userId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ watchedMs: number }>`
    select coalesce(sum(watched_ms), 0)::bigint as watched_ms from watch_hours
    where user_id = ${userId} and starts_at > ${since}`.execute(db)
  return rows[0]?.watchedMs ?? 0
}

/** Deletes hours that began before `before`, in batches. */
export async function deleteWatchHoursBefore(db: Db<Database>, before: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from watch_hours where (user_id, starts_at) in (
      select user_id, starts_at from watch_hours where starts_at < ${before} limit ${limit})`.execute(db),
  )
}
