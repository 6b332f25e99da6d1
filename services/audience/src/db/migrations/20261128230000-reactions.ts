import { type Kysely, sql } from 'kysely'

/**
 * How many reactions each gateway has received during an airing. `total` is the sum of `counts`, which only grows: an older
 * report changes nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reactions (
      channel_id text not null,
      airing_id text not null,
      gateway text not null,
      counts jsonb not null,
      total integer not null,
      began_at timestamptz(3) not null,
      primary key (channel_id, airing_id, gateway)
    ) with (fillfactor = 70)`.execute(db)
  await sql`create index reactions_began on reactions (began_at)`.execute(db)
}
