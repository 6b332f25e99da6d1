import { type Kysely, sql } from 'kysely'

/** Words that messages must not contain. `version`: how often the list was changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table word_list (
      only_row boolean primary key default true check (only_row),
      entries jsonb not null,
      version integer not null
    )`.execute(db)
}
