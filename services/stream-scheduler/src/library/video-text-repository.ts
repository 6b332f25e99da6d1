import { sql } from 'kysely'
import type { Store } from '../db/schema.ts'

export interface VideoText {
  title: string
  artistName: string
}

/** Titles and artists by video id. */
export async function videoTexts(db: Store, ids: readonly string[]): Promise<Map<string, VideoText>> {
  const rows = await db
    .selectFrom('videos')
    .select(['id', 'title', 'artistName'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, title, artistName }) => [id, { title, artistName }]))
}
