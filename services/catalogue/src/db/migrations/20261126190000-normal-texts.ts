import { cleanLine, cleanParagraph, textKey } from '@looptide/contracts/text'
import { rewriteTexts } from '@looptide/service-kit/db/rewrite-texts'
import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

const FILTER_NAME_LENGTH = 60

const orNull = (text: string): string | null => cleanLine(text) || null
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
 * Normalises the texts of the library, as requests are normalised from now on. Two tags of a video become one. Triggers
 * merge the artists and update the search. A video whose title shows nothing gets the placeholder, so that
 * "Update Metadata" looks it up again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = {
    title: (text: string) => cleanLine(text) || 'Loading...',
    artist_name: (text: string) => cleanLine(text) || 'Unknown Artist',
    description: paragraph,
    genre: orNull,
    review_reason: paragraph,
    tags,
  }
  await rewriteTexts(db, { table: 'videos', key: ['id'], columns })
  await rewriteTexts(db, { table: 'deleted_videos', key: ['id'], columns })
  await rewriteTexts(db, {
    table: 'video_edits',
    key: ['edit_id', 'video_id'],
    columns: {
      old_title: columns.title,
      new_title: columns.title,
      old_artist_name: columns.artist_name,
      new_artist_name: columns.artist_name,
      old_genre: orNull,
      new_genre: orNull,
      old_tags: tags,
      new_tags: tags,
    },
  })
  await rewriteTexts(db, {
    table: 'youtube_playlists',
    key: ['id'],
    columns: { name: orUnchanged, description: paragraph },
  })
  await rewriteTexts(db, {
    table: 'home_screen_curation',
    key: ['id'],
    columns: { section_name: orUnchanged },
  })
  await rewriteTexts(db, { table: 'deleted_curation', key: ['id'], columns: { section_name: orUnchanged } })
  await rewriteTexts(db, {
    table: 'followed_lists',
    key: ['id'],
    columns: { title: orNull, tag: orUnchanged },
  })
  await rewriteTexts(db, { table: 'submissions', key: ['video_id'], columns: { followed_list: orNull } })
  await rewriteFilters(db)
}

/** Saved filters, whose names are unique. A name that another filter has already gets a number. */
async function rewriteFilters(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from video_filters order by id`.execute(db)
  const taken = new Set(rows.flatMap(({ name }) => (name === cleanLine(name) ? [textKey(name)] : [])))
  const renamed = new Map<string, string>()
  for (const { name } of rows) {
    const base = cleanLine(name) || 'Filter'
    if (base === name) continue
    let free = base
    for (let number = 2; taken.has(textKey(free)); number += 1)
      free = `${base.slice(0, FILTER_NAME_LENGTH - 5)} (${number})`
    taken.add(textKey(free))
    renamed.set(name, free)
  }
  const name = (text: string): string => renamed.get(text) ?? text
  const filter = (value: { text: string; tag: string | null }) => ({
    ...value,
    text: cleanLine(value.text),
    tag: value.tag === null ? null : orNull(value.tag),
  })
  await rewriteTexts(db, { table: 'video_filters', key: ['id'], columns: { name, filter } })
}
