import { type Kysely, sql } from 'kysely'

/** What channels do with the requests of their queues, and channels to be rebuilt that keep what the guide has announced. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table request_plans (
    channel_id text primary key references channels (id) on delete cascade,
    decided_until_ms bigint not null,
    freeze_ms bigint not null,
    decide_at_ms bigint,
    body jsonb not null
  )`.execute(db)
  await sql`create index request_plans_due on request_plans (decide_at_ms)`.execute(db)
  await sql`alter table stale_channels add column keeps_frozen boolean not null default false`.execute(db)
}
