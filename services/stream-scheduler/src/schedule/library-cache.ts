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

/** Time for which numbers of likes that have changed are not read again, in ms. */
const LIKES_AGE_MS = 600_000

/**
 * The library in memory, one for all scheduled channels: reading ten thousand videos takes longer than planning an hour
 * from them. Before each use, a checksum of ids and versions is compared with that of the database. Likes change all the
 * time, and only the order by likes depends on them: they may be ten minutes old, and do not change the checksum.
 */
export class LibraryCache {
  readonly #now: () => number
  #library: Library | undefined
  #read = { atMs: 0, likes: 0 }

  constructor(now: () => number) {
    this.#now = now
  }

  async read(db: Store): Promise<Library> {
    const { checksum, likes } = await readLibraryChecksum(db)
    const atMs = this.#now()
    const hasLikes = likes === this.#read.likes || atMs < this.#read.atMs + LIKES_AGE_MS
    if (checksum === this.#library?.checksum && hasLikes) return this.#library
    const rows = await readLibrary(db)
    this.#read = { atMs, likes }
    this.#library = {
      checksum,
      videos: rows.map(({ version: _version, genre, ...video }) => ({ ...video, genre: genre ?? '' })),
      versions: new Map(rows.map(({ id, version }) => [id, version])),
    }
    return this.#library
  }
}
