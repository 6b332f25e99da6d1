import { type Kysely, sql } from 'kysely'

/** The number of problems of a published schedule: its sources may lose their videos after the publication. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table channels add column schedule_problems integer not null default 0`.execute(db)
}
