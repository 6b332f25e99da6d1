import type { LibraryVideo } from '@looptide/planner/library'
import { sql } from 'kysely'
import { isPlayable } from '../db/is-playable.ts'
import { playedMs } from '../db/played-ms.ts'
import type { Store } from '../db/schema.ts'

/** A playable video; `version` changes with every change of its row. */
export interface LibraryRow extends Omit<LibraryVideo, 'genre'> {
  genre: string | null
  version: number
}

/** All playable videos. */
export async function readLibrary(db: Store): Promise<LibraryRow[]> {
  const { rows } = await sql<LibraryRow>`
      select v.id, v.title, v.artist_name, v.category, v.genre, v.tags, ${playedMs} as duration_ms,
             (extract(epoch from v.created_at) * 1000)::bigint as added_at_ms,
             v.view_count as likes, v.is_public as is_listed, v.version
      from videos v where ${isPlayable}`.execute(db)
  return rows
}

/** Differs when a playable video or its version differs. */
export async function readLibraryChecksum(db: Store): Promise<string> {
  const { rows } = await sql<{ checksum: string }>`
      select coalesce(sum(uuid_hash_extended(id, version)), 0)::text || ':' || count(*) as checksum
      from videos where ${isPlayable}`.execute(db)
  return rows[0]?.checksum ?? ''
}
