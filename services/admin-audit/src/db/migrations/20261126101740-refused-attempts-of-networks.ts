import { type Kysely, sql } from 'kysely'

/**
 * Creates the table that counts refused attempts of anonymous users by network and hour, because one person can
 * create many of them. `network` is a keyed digest.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table refused_attempts_of_networks (
      network text not null,
      hour timestamptz(0) not null,
      attempts integer not null,
      primary key (network, hour)
    )`.execute(db)
  await sql`create index refused_attempts_of_networks_by_hour on refused_attempts_of_networks (hour)`.execute(
    db,
  )
}
