import { type Kysely, sql } from 'kysely'

/** Whose pages may show embeds: one row, or none before the first change. `origins` is null for all pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table embed_settings (
      only_row boolean primary key default true check (only_row),
      origins text[],
      version integer not null
    )`.execute(db)
}
