import { type Kysely, sql } from 'kysely'

/**
 * What statistics sum up, in the row of the airing. `attendance`: joins and leaves that each gateway has reported,
 * `{ gateway: [joins, leaves] }`; `joins` and `leaves` are their sums, null if no gateway has counted them. `title` and
 * `artist_name`: as broadcast, null for earlier airings.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table airings
      add column title text,
      add column artist_name text,
      add column attendance jsonb not null default '{}',
      add column joins integer,
      add column leaves integer,
      add column reaction_count integer not null default 0,
      add column requests integer not null default 0`.execute(db)
}
