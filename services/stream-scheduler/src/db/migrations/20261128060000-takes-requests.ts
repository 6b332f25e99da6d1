import { type Kysely, sql } from 'kysely'

/** A channel knows whether its published schedule has slots for requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table channels add column takes_requests boolean not null default false`.execute(db)
  await sql`update channels set takes_requests = true from schedule_versions v
    where v.channel_id = channels.id and v.version = channels.schedule_version
      and v.document @? '$.clocks.*[*] ? (@.source == "requests")'`.execute(db)
}
