import { type Kysely, sql } from 'kysely'

/**
 * Reminders, the starts that they are planned for, the channels whose guide decides that, and the browsers that receive
 * pushes. `sent`: the notices of a start that were sent, each at most once. `due_at`: when its next notice, `phase`, is due.
 * A row of `push_deliveries` is a notice that a push service has not accepted yet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createReminders(db)
  await createPushes(db)
  await sql`
    alter table profiles
      add column reminder_attempts integer not null default 0,
      add column reminder_attempts_since timestamptz(3)`.execute(db)
}

async function createReminders(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reminders (
      id uuid primary key,
      user_id uuid not null,
      channel_id text not null,
      kind text not null check (kind in ('programme', 'block', 'special', 'artist')),
      ref text not null,
      title text not null,
      video_id uuid,
      minutes_before integer not null,
      created_at timestamptz(3) not null,
      unique (user_id, channel_id, kind, ref)
    )`.execute(db)
  await sql`create index reminders_channel on reminders (channel_id, id)`.execute(db)
  await sql`
    create table reminder_starts (
      id uuid primary key,
      reminder_id uuid not null references reminders (id) on delete cascade,
      starts_at timestamptz(3) not null,
      title text not null,
      programme_id text,
      video_id uuid,
      phase text check (phase in ('before', 'start', 'removed')),
      due_at timestamptz(3),
      sent text[] not null default '{}',
      check ((phase is null) = (due_at is null))
    )`.execute(db)
  await sql`create index reminder_starts_reminder on reminder_starts (reminder_id)`.execute(db)
  await sql`create index reminder_starts_due on reminder_starts (due_at) where due_at is not null`.execute(db)
  await sql`create index reminder_starts_time on reminder_starts (starts_at)`.execute(db)
  await sql`
    create table reminder_channels (
      channel_id text primary key,
      name text not null,
      known_version bigint not null default 0,
      wanted_version bigint not null default 0,
      refresh_at timestamptz(3) not null
    )`.execute(db)
  await sql`create index reminder_channels_refresh on reminder_channels (refresh_at)`.execute(db)
  await sql`
    create table reminder_settings (
      user_id uuid primary key,
      mail boolean not null default true,
      quiet_hours jsonb
    )`.execute(db)
}

async function createPushes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table push_subscriptions (
      id uuid primary key,
      user_id uuid not null,
      endpoint text not null unique,
      host text not null,
      p256dh text not null,
      auth text not null,
      is_declarative boolean not null,
      device_name text,
      created_at timestamptz(3) not null,
      last_used_at timestamptz(3)
    )`.execute(db)
  await sql`create index push_subscriptions_user on push_subscriptions (user_id, id)`.execute(db)
  await sql`
    create table push_deliveries (
      id uuid primary key,
      subscription_id uuid not null references push_subscriptions (id) on delete cascade,
      start_id uuid not null,
      payload jsonb not null,
      attempts integer not null default 0,
      next_attempt_at timestamptz(3) not null,
      expires_at timestamptz(3) not null
    )`.execute(db)
  await sql`create index push_deliveries_subscription on push_deliveries (subscription_id)`.execute(db)
  await sql`create index push_deliveries_due on push_deliveries (next_attempt_at)`.execute(db)
}
