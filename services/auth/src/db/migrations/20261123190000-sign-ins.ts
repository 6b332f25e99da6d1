import { type Kysely, sql } from 'kysely'

const statements = [
  `create table sign_ins (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    created_at timestamptz not null,
    method text not null check (length(method) between 1 and 20),
    succeeded boolean not null,
    device text check (length(device) <= 100),
    network text check (length(network) <= 60)
  )`,
  `create index sign_ins_user on sign_ins (user_id, id)`,
]

/** Sign-ins of the last 90 days, as their user sees them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
