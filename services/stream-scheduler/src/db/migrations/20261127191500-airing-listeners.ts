import { type Kysely, sql } from 'kysely'

/** The average number of viewers of each programme of the air log; null where it was not counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table air_log add column listeners integer`.execute(db)
}
