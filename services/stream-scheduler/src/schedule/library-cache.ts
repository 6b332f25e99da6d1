import type { LibraryVideo } from '@looptide/planner/library'
import type { Store } from '../db/schema.ts'
import { readLibrary, readLibraryChecksum } from '../library/video-repository.ts'

/** All playable videos, as the planner needs them. */
export interface Library {
  /** Differs when a video or its version differs; empty for the library of a loop. */
  checksum: string
  videos: readonly LibraryVideo[]
  /** The version of each video's row. */
  versions: ReadonlyMap<string, number>
}

/**
 * The library in memory, one for all scheduled channels: reading ten thousand videos takes longer than planning an hour
 * from them. Before each use, a checksum of ids and versions is compared with that of the database.
 */
export class LibraryCache {
  #library: Library | undefined

  async read(db: Store): Promise<Library> {
    const checksum = await readLibraryChecksum(db)
    if (checksum === this.#library?.checksum) return this.#library
    const rows = await readLibrary(db)
    this.#library = {
      checksum,
      videos: rows.map(({ version: _version, genre, ...video }) => ({ ...video, genre: genre ?? '' })),
      versions: new Map(rows.map(({ id, version }) => [id, version])),
    }
    return this.#library
  }
}
