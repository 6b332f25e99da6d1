import { type Expression, sql } from 'kysely'
import type { Queries } from '../../db/schema.ts'

/**
 * Takes up to `limit` due reminders and schedules the next one of each: 80 s later, then twice that, up to 10 minutes.
 * Reminders that another replica is taking are skipped.
 *
 * @returns the YouTube ids of their videos
 */
export async function takeDueReminders(db: Queries, limit: number): Promise<string[]> {
  const nextDue: Expression<Date> = sql`
    now() + least(interval '40 s' * power(2, least(reminder.sent + 1, 5)), interval '10 min')`
  const { rows } = await sql<{ youtubeId: string }>`
    with due as (
      select video_id from metadata_reminders where due_at <= now()
      order by due_at limit ${limit} for update skip locked
    )
    update metadata_reminders reminder set sent = reminder.sent + 1, due_at = ${nextDue}
    from due join videos on videos.id = due.video_id
    where reminder.video_id = due.video_id
    returning videos.youtube_id`.execute(db)
  return rows.map((row) => row.youtubeId)
}

/** Makes all reminders due now. */
export async function remindNow(db: Queries): Promise<void> {
  await sql`update metadata_reminders set due_at = now() where due_at > now()`.execute(db)
}
