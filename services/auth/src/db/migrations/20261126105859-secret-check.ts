import { type Kysely, sql } from 'kysely'

const statement = `create table secret_check (
  id boolean primary key default true check (id),
  sealed bytea not null
)`

/** A value that only the key secret of this database decrypts, so that a wrong secret is found without signing keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statement).execute(db)
}
