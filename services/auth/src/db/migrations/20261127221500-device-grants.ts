import { type Kysely, sql } from 'kysely'

/** Devices that wait to be paired, and the names of the sessions that they get. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table device_grants (
      device_code_digest bytea primary key,
      user_code_digest bytea not null unique,
      name text not null check (length(name) between 1 and 100),
      network text,
      state text not null check (state in ('waiting', 'allowed', 'denied', 'used')),
      user_id uuid references users (id) on delete cascade,
      session_id uuid,
      polled_at timestamptz,
      interval_s integer not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      check (state <> 'allowed' or (user_id is not null and session_id is not null))
    )`.execute(db)
  await sql`create index device_grants_user on device_grants (user_id)`.execute(db)
  await sql`create index device_grants_expires_at on device_grants (expires_at)`.execute(db)
  await sql`alter table sessions add column device_name text`.execute(db)
  await sql`alter table sessions drop constraint sessions_method_check`.execute(db)
  await sql`
    alter table sessions add constraint sessions_method_check
    check (method in ('password', 'otp', 'passkey', 'oauth', 'anonymous', 'device')) not valid`.execute(db)
}
