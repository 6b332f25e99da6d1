import { type Kysely, sql } from 'kysely'

const statements = [
  `create table avatars (
    user_id uuid primary key references profiles on delete cascade,
    version text not null,
    content_type text not null check (content_type in ('image/jpeg', 'image/png', 'image/webp')),
    bytes bytea not null,
    created_at timestamptz not null
  )`,
  // For housekeeping: unconfirmed accounts by the time of their last confirmation request.
  `create index users_unconfirmed on users (greatest(created_at, confirmation_sent_at))
    where email_confirmed_at is null`,
]

/** Uploaded profile pictures, and an index for deleting unconfirmed accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
