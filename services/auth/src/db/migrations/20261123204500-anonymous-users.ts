import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table users alter column email drop not null`,
  // When an anonymous user last used a session, to a day.
  `alter table users add column anonymous_seen_at timestamptz`,
  `alter table users add constraint users_anonymous_check
    check ((email is null) = (anonymous_seen_at is not null)) not valid`,
  `alter table sessions drop constraint sessions_method_check`,
  `alter table sessions add constraint sessions_method_check
    check (method in ('password', 'otp', 'passkey', 'oauth', 'anonymous')) not valid`,
]

/** Anonymous users: they have no email, and a session that `signInAnonymously` started. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
