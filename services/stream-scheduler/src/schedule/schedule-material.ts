import type { ScheduleDocument } from '@looptide/contracts/schedule'
import type { PlaylistItem } from '@looptide/planner/library'
import type { Library } from './library-cache.ts'

/** A schedule and the videos it chooses from. */
export interface ScheduleMaterial {
  document: ScheduleDocument
  /** The published version; 0 for a draft. */
  version: number
  library: Library
  /** Playlists by channel id; `''` is the channel's own. */
  playlists: ReadonlyMap<string, readonly PlaylistItem[]>
}
