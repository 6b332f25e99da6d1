import type { LibraryVideo } from '@looptide/planner/library'
import { sql } from 'kysely'
import { playedMs } from '../db/played-ms.ts'
import type { Store } from '../db/schema.ts'

/** All playable videos, as the planner needs them. */
export interface Library {
  /** Differs when a video or its version differs; empty for the library of a loop. */
  checksum: string
  videos: readonly LibraryVideo[]
  /** The version of each video's row. */
  versions: ReadonlyMap<string, number>
}

interface LibraryRow extends Omit<LibraryVideo, 'genre'> {
  genre: string | null
  version: number
}

/**
 * The library in memory, one for all scheduled channels: reading ten thousand videos takes longer than planning an hour
 * from them. Before each use, a checksum of ids and versions is compared with that of the database.
 */
export class LibraryCache {
  #library: Library | undefined

  async read(db: Store): Promise<Library> {
    const checksum = await this.#readChecksum(db)
    if (checksum === this.#library?.checksum) return this.#library
    const { rows } = await sql<LibraryRow>`
      select v.id, v.title, v.artist_name, v.category, v.genre, v.tags, ${playedMs} as duration_ms,
             (extract(epoch from v.created_at) * 1000)::bigint as added_at_ms,
             v.view_count as likes, v.is_public as is_listed, v.version
      from videos v where v.playable`.execute(db)
    this.#library = {
      checksum,
      videos: rows.map(({ version: _version, genre, ...video }) => ({ ...video, genre: genre ?? '' })),
      versions: new Map(rows.map(({ id, version }) => [id, version])),
    }
    return this.#library
  }

  async #readChecksum(db: Store): Promise<string> {
    const { rows } = await sql<{ checksum: string }>`
      select coalesce(sum(uuid_hash_extended(id, version)), 0)::text || ':' || count(*) as checksum
      from videos where playable`.execute(db)
    return rows[0]?.checksum ?? ''
  }
}
