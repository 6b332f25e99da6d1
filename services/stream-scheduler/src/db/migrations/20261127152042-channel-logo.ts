import { type Kysely, sql } from 'kysely'

/** A channel may have a logo: the path of a picture that the station stores. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table channels add column logo_url text`.execute(db)
}
