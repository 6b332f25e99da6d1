import { cleanLine, cleanParagraph, textKey } from '@looptide/contracts/text'
import { rewriteTexts } from '@looptide/service-kit/db/rewrite-texts'
import type { Kysely } from 'kysely'

export const outsideTransaction = true

const orUnchanged = (text: string): string => cleanLine(text) || text
const paragraph = (text: string): string | null => cleanParagraph(text) || null
/** Of tags with the same key, the first one stays. */
const tags = (texts: string[]): string[] =>
  [
    ...new Map(
      texts
        .map(cleanLine)
        .filter((tag) => tag !== '')
        .toReversed()
        .map((tag) => [textKey(tag), tag]),
    ).values(),
  ].toReversed()

/**
 * Normalises the texts of channels and videos, as requests are normalised from now on. The catalogue does the same with
 * its videos, without events. Schedules need no change: their names are compared by `textKey`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await rewriteTexts(db, {
    table: 'videos',
    key: ['id'],
    columns: {
      title: orUnchanged,
      artist_name: orUnchanged,
      description: paragraph,
      genre: orUnchanged,
      tags,
    },
  })
  await rewriteTexts(db, {
    table: 'channels',
    key: ['id'],
    columns: { name: orUnchanged, description: paragraph },
  })
  await rewriteTexts(db, {
    table: 'air_log',
    key: ['channel_id', 'seq'],
    columns: { title: orUnchanged, artist_name: orUnchanged },
  })
  await rewriteTexts(db, { table: 'takeovers', key: ['channel_id'], columns: { title: orUnchanged } })
}
