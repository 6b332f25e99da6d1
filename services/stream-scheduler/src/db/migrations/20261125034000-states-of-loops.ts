import { type Kysely, sql } from 'kysely'

/**
 * Loops store the planner's state as schedules do. Random ids do not compress, and the attempt takes longer than writing
 * them. The table `loops`, which the previous release uses, is dropped in a later release.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table schedule_states alter column state set storage external`.execute(db)
}
