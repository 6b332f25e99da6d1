import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/**
 * Counts how often each video was on the air on a channel, so that the library need not read the air log of a year.
 * Replicas of the previous release do not count: what starts between this migration and their replacement is missing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table last_airings add column if not exists airings bigint not null default 1`.execute(db)
  await sql`
    update last_airings a set airings = logged.airings
    from (select channel_id, video_id, count(*) as airings from air_log group by 1, 2) logged
    where a.channel_id = logged.channel_id and a.video_id = logged.video_id`.execute(db)
}
