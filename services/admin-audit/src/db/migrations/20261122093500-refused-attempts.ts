import { type Kysely, sql } from 'kysely'

/** Creates the table that counts refused attempts by user and hour, for the limit of recorded attempts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table refused_attempts (
      user_id uuid not null,
      hour timestamptz(0) not null,
      attempts integer not null,
      primary key (user_id, hour)
    )`.execute(db)
  await sql`create index refused_attempts_by_hour on refused_attempts (hour)`.execute(db)
}
