import { type Kysely, sql } from 'kysely'

/** Without a schedule, each programme with this number is a viewer's request. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table channels add column request_every integer
    constraint channels_request_every_check check (request_every >= 2)`.execute(db)
}
