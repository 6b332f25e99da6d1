import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** The reactions to an airing are found by its number in the air log: its id changes when it is cut short. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists reactions_entry`.execute(db)
  await sql`create index concurrently reactions_entry on reactions (channel_id, split_part(airing_id, '.', 2))`.execute(
    db,
  )
}
