import { cleanLine } from '@looptide/contracts/text'
import { rewriteTexts } from '@looptide/service-kit/db/rewrite-texts'
import type { Kysely } from 'kysely'

export const outsideTransaction = true

const orUnchanged = (text: string): string => cleanLine(text) || text

/** Normalises the texts of cards in saved themes. Entries of the audit log are never changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = {
    card_station_name: cleanLine,
    card_next_text: orUnchanged,
    card_previous_text: orUnchanged,
    card_countdown_text: orUnchanged,
  }
  await rewriteTexts(db, { table: 'theme_settings', key: ['id'], columns })
}
