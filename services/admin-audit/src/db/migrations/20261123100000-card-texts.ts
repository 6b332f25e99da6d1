import { type Kysely, sql } from 'kysely'

/** Adds the texts of the cards between videos to themes. Saved themes get the defaults. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table theme_settings
      add column card_station_name text not null default '',
      add column card_next_text text not null default 'Coming up next',
      add column card_previous_text text not null default 'You just saw',
      add column card_countdown_text text not null default 'Starts in'`.execute(db)
}
