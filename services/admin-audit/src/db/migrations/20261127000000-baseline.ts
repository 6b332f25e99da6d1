import { cleanLine } from '@looptide/contracts/text'
import { type Bridge, executeFile } from '@looptide/service-kit/db/bridge'
import { rewriteTexts } from '@looptide/service-kit/db/rewrite-texts'
import { type QueryExecutorProvider, sql } from 'kysely'

/** Creates the audit log and the settings of admins. */
export const up = (db: QueryExecutorProvider): Promise<void> =>
  executeFile(db, new URL('20261127000000-baseline.sql', import.meta.url))

export const bridge: Bridge = {
  states: {
    // The newest one of the event tables.
    '20261121125500-trace-parent': 'e643dcf',
    '20261126104329-audit-settings': 'a1f7ac93',
    '20261126190000-normal-texts': '17e9159a',
  },
  alter: `
    alter table theme_settings
      add column if not exists card_station_name text not null default '',
      add column if not exists card_next_text text not null default 'Coming up next',
      add column if not exists card_previous_text text not null default 'You just saw',
      add column if not exists card_countdown_text text not null default 'Starts in'`,
  convert: async (db) => {
    await chainEntries(db)
    await normaliseTexts(db)
  },
}

/** Appends the entries of a log without a chain. */
async function chainEntries(db: QueryExecutorProvider): Promise<void> {
  await sql`
    do $$
    declare entry audit_log;
    begin
      for entry in
        select l.* from audit_log l
        where not exists (select from audit_chain c where c.entry_id = l.id) order by l.created_at, l.id
      loop
        perform audit_chain_append(entry);
      end loop;
    end $$`.execute(db)
}

/** Normalises the texts of cards in saved themes, as those of requests are. Entries of the audit log are never changed. */
async function normaliseTexts(db: QueryExecutorProvider): Promise<void> {
  const orUnchanged = (text: string): string => cleanLine(text) || text
  const columns = {
    card_station_name: cleanLine,
    card_next_text: orUnchanged,
    card_previous_text: orUnchanged,
    card_countdown_text: orUnchanged,
  }
  await rewriteTexts(db, { table: 'theme_settings', key: ['id'], columns })
}
