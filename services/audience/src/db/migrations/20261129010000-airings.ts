import { type Kysely, sql } from 'kysely'

/**
 * What viewers did during each programme, counted until a minute after its end. `seq`: as in the air log, with which it is
 * kept. `pace`: the numbers of reactions after each step of ten seconds from `began_at` on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table airings (
      channel_id text not null,
      seq bigint not null,
      airing_id text not null,
      video_id uuid not null,
      starts_at timestamptz(3) not null,
      ends_at timestamptz(3) not null,
      viewers_at_start integer,
      viewers_at_end integer,
      likes integer not null default 0,
      messages integer not null default 0,
      is_counted boolean not null default false,
      primary key (channel_id, seq)
    ) with (fillfactor = 70)`.execute(db)
  await sql`create index airings_time on airings (channel_id, starts_at)`.execute(db)
  await sql`create index airings_uncounted on airings (starts_at) where not is_counted`.execute(db)
  await sql`create index airings_old on airings (starts_at)`.execute(db)
  await sql`alter table reactions add column pace jsonb not null default '{}'`.execute(db)
}
