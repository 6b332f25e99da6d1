import { cleanLine, cleanParagraph } from '@looptide/contracts/text'
import { rewriteTexts } from '@looptide/service-kit/db/rewrite-texts'
import type { Kysely } from 'kysely'

export const outsideTransaction = true

const orNull = (text: string): string | null => cleanLine(text) || null
const orUnchanged = (text: string): string => cleanLine(text) || text

/** Normalises names and reasons, as requests are normalised from now on. Handles and emails are ASCII. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await rewriteTexts(db, { table: 'profiles', key: ['user_id'], columns: { artist_name: orNull } })
  await rewriteTexts(db, { table: 'passkeys', key: ['id'], columns: { name: orUnchanged } })
  await rewriteTexts(db, { table: 'personal_tokens', key: ['id'], columns: { name: orUnchanged } })
  await rewriteTexts(db, { table: 'factors', key: ['id'], columns: { friendly_name: orUnchanged } })
  const reason = (text: string) => cleanParagraph(text) || text
  await rewriteTexts(db, { table: 'user_restrictions', key: ['id'], columns: { reason } })
}
