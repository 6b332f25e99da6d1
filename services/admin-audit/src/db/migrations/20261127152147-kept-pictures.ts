import { type Kysely, sql } from 'kysely'

/** Uploaded pictures may be kept although no theme uses them: logos of channels, which another service stores. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table theme_assets add column is_kept boolean not null default false`.execute(db)
}
