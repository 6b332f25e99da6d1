import { createHash } from 'node:crypto'
import type { ScheduleReason } from '@looptide/contracts/http/schedules'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import type { PlaylistItem } from '@looptide/planner/library'
import type { PlannedDocument } from '@looptide/planner/plan'
import type { Library } from './library-cache.ts'

/** A schedule and the videos it chooses from. */
export interface ScheduleMaterial {
  document: PlannedDocument
  /** The published version; 0 for a draft and for a loop. */
  version: number
  /** The channel has no schedule and repeats its playlist: its programmes have no reason, except requests. */
  isLoop: boolean
  /** The document has slots for requests, and the station takes them. */
  takesRequests: boolean
  library: Library
  /** Playlists by channel id; `''` is the channel's own. */
  playlists: ReadonlyMap<string, readonly PlaylistItem[]>
}

/** A checksum of the videos of the library, of the items and order of the playlists, and of whether requests are taken. */
export function checksumOf({ library, playlists, takesRequests }: ScheduleMaterial): string {
  const hash = createHash('sha256').update(library.checksum)
  if (takesRequests) hash.update('\nrequests')
  for (const [channelId, items] of playlists) {
    hash.update(`\n${channelId}`)
    for (const { itemId } of items) hash.update(` ${itemId}`)
  }
  return hash.digest('base64url')
}

/** The block or special of a document that planned a programme; undefined outside blocks. */
export function findBlock(
  { blocks = [], overrides = [], specials = [] }: ScheduleDocument,
  { blockId, specialId }: Pick<ScheduleReason, 'blockId' | 'specialId'>,
) {
  if (specialId !== null) return specials.find(({ id }) => id === specialId)
  return [...blocks, ...overrides.flatMap((override) => override.blocks)].find(({ id }) => id === blockId)
}
