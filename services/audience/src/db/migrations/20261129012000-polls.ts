import { type Kysely, sql } from 'kysely'

/**
 * Polls in the chat. `counts`: votes for each answer, as they were published last, and the result once the poll is closed.
 * `restricted_users` has bans as well, with which nobody votes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table polls (
      id uuid primary key,
      channel_id text not null references channels (id) on delete cascade,
      airing_id text,
      question text not null,
      answers text[] not null check (cardinality(answers) between 2 and 6),
      counts integer[] not null check (cardinality(counts) = cardinality(answers)),
      asked_by uuid not null,
      asked_at timestamptz(3) not null,
      closes_at timestamptz(3) not null,
      closed_at timestamptz(3),
      version integer not null default 1
    ) with (fillfactor = 70)`.execute(db)
  await sql`create unique index polls_open on polls (channel_id) where closed_at is null`.execute(db)
  await sql`create index polls_channel on polls (channel_id, id)`.execute(db)
  await sql`create index polls_asked on polls (asked_at)`.execute(db)
  await sql`create index polls_closed on polls (closed_at)`.execute(db)
  await sql`
    create table poll_votes (
      poll_id uuid not null references polls (id) on delete cascade,
      user_id uuid not null,
      answer smallint not null check (answer >= 0),
      voted_at timestamptz(3) not null,
      primary key (poll_id, user_id)
    )`.execute(db)
  await sql`create index poll_votes_user on poll_votes (user_id, poll_id)`.execute(db)
  // One row for each change: votes that are cast together do not wait for each other.
  await sql`
    create table poll_changes (
      poll_id uuid not null references polls (id) on delete cascade,
      id bigint generated always as identity,
      primary key (poll_id, id)
    )`.execute(db)
  await sql`
    alter table profiles
      add column poll_attempts integer not null default 0,
      add column poll_attempts_since timestamptz(3)`.execute(db)
  await sql`
    alter table restricted_users add column restriction_type text not null default 'restricted'`.execute(db)
}
