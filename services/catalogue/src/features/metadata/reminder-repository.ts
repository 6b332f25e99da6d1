import { type Expression, sql } from 'kysely'
import type { Queries } from '../../db/schema.ts'

/**
 * A video without metadata (on YouTube) or without the duration of its media file (elsewhere); with `isUnavailable`, a
 * premiere or live stream that is to be looked up again.
 */
export interface DueVideo {
  id: string
  isUnavailable: boolean
  /** Whether this is the first request, which {@link deferRequests} has left to the reminders. */
  isFirst: boolean
  youtubeId: string | null
  videoUrl: string
}

/**
 * Claims up to `limit` due reminders and schedules the next one of each: after 80 s, doubling up to 10 minutes. Skips
 * reminders that another replica is claiming.
 *
 * @returns the videos of the claimed reminders
 */
export async function takeDueReminders(db: Queries, limit: number): Promise<DueVideo[]> {
  const nextDue: Expression<Date> = sql`
    now() + least(interval '40 s' * power(2, least(reminder.sent + 1, 5)), interval '10 min')`
  const { rows } = await sql<DueVideo>`
    with due as (
      select video_id from metadata_reminders where due_at <= now()
      order by due_at limit ${limit} for update skip locked
    )
    update metadata_reminders reminder set sent = reminder.sent + 1, due_at = ${nextDue}
    from due join videos on videos.id = due.video_id
    where reminder.video_id = due.video_id
    returning videos.id, videos.metadata_status = 'unavailable' as is_unavailable, reminder.sent = 0 as is_first,
      videos.youtube_id, videos.video_url`.execute(db)
  return rows
}

/** Sets or deletes the reminder of a video whose metadata is known. */
export async function setReminder(db: Queries, videoId: string, dueAt: Date | null): Promise<void> {
  if (dueAt === null) {
    await db.deleteFrom('metadataReminders').where('videoId', '=', videoId).execute()
    return
  }
  await db
    .insertInto('metadataReminders')
    .values({ videoId, dueAt })
    .onConflict((conflict) => conflict.column('videoId').doUpdateSet({ dueAt, sent: 0 }))
    .execute()
}

/** Sets the reminders of videos that have none, 40 s from now. */
export async function addReminders(db: Queries, videoIds: readonly string[]): Promise<void> {
  await sql`
    insert into metadata_reminders (video_id, due_at)
    select id, now() + interval '40 s' from unnest(${[...videoIds]}::uuid[]) id
    on conflict (video_id) do nothing`.execute(db)
}

/** Makes the reminders of these videos due now, as their first requests: the next ones follow as after a request. */
export async function deferRequests(db: Queries, videoIds: readonly string[]): Promise<void> {
  await sql`
    update metadata_reminders set due_at = now(), sent = -1 where video_id = any(${[...videoIds]}::uuid[])`.execute(
    db,
  )
}

/** Videos that make an import if they were all added within {@link IMPORT_WINDOW_S}: those of a batch. */
const IMPORT_VIDEOS = 500
const IMPORT_WINDOW_S = 3
/** Time after which due reminders no longer wait for the end of an import, in s. */
const LONGEST_WAIT_S = 300

/**
 * Whether many videos are being added, besides those of this transaction. False if reminders have waited too long for the
 * end. Reads the ends of two indexes.
 */
export async function isImporting(db: Queries): Promise<boolean> {
  const { rows } = await sql<{ isImporting: boolean }>`
    select coalesce((
      select created_at from videos where review_state is null and created_at <> now()::timestamptz(3)
      order by created_at desc offset ${IMPORT_VIDEOS - 1} limit 1
    ) > now() - make_interval(secs => ${IMPORT_WINDOW_S}), false)
    and coalesce((
      select due_at from metadata_reminders order by due_at limit 1
    ) > now() - make_interval(secs => ${LONGEST_WAIT_S}), true) as is_importing`.execute(db)
  return rows[0]?.isImporting ?? false
}

/** Makes all reminders due now. */
export async function makeAllRemindersDue(db: Queries): Promise<void> {
  await sql`update metadata_reminders set due_at = now() where due_at > now()`.execute(db)
}
