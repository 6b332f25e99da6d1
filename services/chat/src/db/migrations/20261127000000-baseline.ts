import { cleanLine, cleanParagraph } from '@looptide/contracts/text'
import { type Bridge, executeFile } from '@looptide/service-kit/db/bridge'
import { rewriteTexts } from '@looptide/service-kit/db/rewrite-texts'
import type { QueryExecutorProvider } from 'kysely'

/** Creates the tables of the chat. */
export const up = (db: QueryExecutorProvider): Promise<void> =>
  executeFile(db, new URL('20261127000000-baseline.sql', import.meta.url))

export const bridge: Bridge = {
  states: {
    '20261121162500-lifted-restrictions': 'e643dcf',
    '20261123171000-message-author-index': 'a1f7ac93',
    '20261126190000-normal-texts': '17e9159a',
  },
  alter: '',
  convert: normaliseTexts,
}

/** Maximum length of a message, in characters. */
const MESSAGE_LENGTH = 500

/** Normalises names and messages, as those of requests are. */
async function normaliseTexts(db: QueryExecutorProvider): Promise<void> {
  const name = (text: string) => cleanLine(text) || null
  await rewriteTexts(db, { table: 'profiles', key: ['user_id'], columns: { artist_name: name } })
  const message = (text: string) => {
    const clean = cleanParagraph(text)
    return clean === '' || [...clean].length > MESSAGE_LENGTH ? text : clean
  }
  await rewriteTexts(db, { table: 'live_chat_messages', key: ['id'], columns: { message } })
}
