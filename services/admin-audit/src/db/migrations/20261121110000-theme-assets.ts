import { type Kysely, sql } from 'kysely'

/** Creates the table of uploaded logos and hero backgrounds, and indexes for saved themes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table theme_assets (
      version text primary key,
      content_type text not null check (content_type in ('image/jpeg', 'image/png', 'image/webp')),
      bytes bytea not null,
      created_by uuid not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index theme_assets_by_age on theme_assets (created_at)`.execute(db)
  await sql`create index theme_settings_newest on theme_settings (created_at desc, id desc)`.execute(db)
  await sql`create index theme_settings_by_logo on theme_settings (logo_url)`.execute(db)
  await sql`create index theme_settings_by_hero on theme_settings (hero_background_url)`.execute(db)
}
