import { type Kysely, sql } from 'kysely'

/**
 * Messages that wait for a moderator. Decided ones stay for the rest of their day, so that a sender who did not get the
 * answer gets the same one. Accounts from before this release are not new.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table held_messages (
      id uuid primary key,
      channel_id text not null references channels (id),
      user_id uuid not null,
      client_id uuid not null,
      message text not null check (char_length(message) between 1 and 500),
      reason text not null,
      state text not null,
      held_at timestamptz(3) not null,
      unique (channel_id, user_id, client_id)
    )`.execute(db)
  await sql`create index held_messages_waiting on held_messages (id) where state = 'waiting'`.execute(db)
  await sql`create index held_messages_channel on held_messages (channel_id, user_id) where state = 'waiting'`.execute(
    db,
  )
  await sql`create index held_messages_user on held_messages (user_id)`.execute(db)
  await sql`
    alter table profiles
      add column registered_at timestamptz(3),
      add column is_established boolean not null default true`.execute(db)
  await sql`alter table profiles alter column is_established set default false`.execute(db)
}
