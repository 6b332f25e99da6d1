import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Finds the videos that a job has deleted, to undo it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists deleted_videos_of_job`.execute(db)
  await sql`create index concurrently deleted_videos_of_job on deleted_videos (job_id, id)
    where job_id is not null`.execute(db)
}
