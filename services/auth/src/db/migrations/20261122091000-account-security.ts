import { type Kysely, sql } from 'kysely'

const statements = [
  // A mailed link carries the sign-up that requested it. Confirming adopts exactly that sign-up.
  `alter table one_time_tokens add column password_hash text`,
  `alter table one_time_tokens add column user_metadata jsonb`,
  `alter table users add column contested boolean not null default false`,
  // When refresh tokens were used within the reuse interval, and the highest one known to have arrived.
  `alter table sessions add column recent_rotations jsonb not null default '[]'`,
  `alter table sessions add column arrived_counter integer not null default 0`,
  `alter table user_restrictions add column created_by_role text
    check (created_by_role in ('user', 'moderator', 'admin'))`,
  `create table kept_restrictions (
    address_digest bytea not null,
    restriction_type text not null check (restriction_type in ('chat_banned', 'site_banned', 'restricted')),
    reason text not null,
    created_by uuid,
    created_by_role text check (created_by_role in ('user', 'moderator', 'admin')),
    created_at timestamptz not null,
    expires_at timestamptz,
    kept_until timestamptz not null,
    primary key (address_digest, restriction_type)
  )`,
  `create index kept_restrictions_kept_until on kept_restrictions (kept_until)`,
  `alter table profiles add column handle_skeleton text collate "C"`,
]

/** Sign-ups bound to their mail, receipt of refresh answers, restrictions that outlive accounts, look-alike handles. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
