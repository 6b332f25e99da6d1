import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table notes (id text primary key, text text not null)`.execute(db)
  await sql`create table steps (seq bigserial primary key, note text not null, version bigint not null)`.execute(
    db,
  )
}
