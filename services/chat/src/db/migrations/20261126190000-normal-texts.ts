import { cleanLine, cleanParagraph } from '@looptide/contracts/text'
import { rewriteTexts } from '@looptide/service-kit/db/rewrite-texts'
import type { Kysely } from 'kysely'

export const outsideTransaction = true

/** Maximum length of a message, in characters. */
const MESSAGE_LENGTH = 500

/** Normalises names and messages, as requests are normalised from now on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const name = (text: string) => cleanLine(text) || null
  await rewriteTexts(db, { table: 'profiles', key: ['user_id'], columns: { artist_name: name } })
  const message = (text: string) => {
    const clean = cleanParagraph(text)
    return clean === '' || [...clean].length > MESSAGE_LENGTH ? text : clean
  }
  await rewriteTexts(db, { table: 'live_chat_messages', key: ['id'], columns: { message } })
}
