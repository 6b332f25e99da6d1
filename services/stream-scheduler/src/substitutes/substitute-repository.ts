import { sql } from 'kysely'
import { isPlayable } from '../db/is-playable.ts'
import type { Store, VideoRow } from '../db/schema.ts'

/**
 * The videos among `videoIds` that can be played and for which fewer than `maxViewers` viewers have reported an error, in any
 * order.
 */
export async function readReliableVideos(
  db: Store,
  videoIds: readonly string[],
  maxViewers: number,
): Promise<VideoRow[]> {
  if (videoIds.length === 0) return []
  return db
    .selectFrom('videos')
    .selectAll()
    .where('id', 'in', videoIds)
    .where(isPlayable)
    .where(
      sql<number>`(select count(*) from playback_reports r where r.video_id = videos.id and r.kind = 'error')`,
      '<',
      maxViewers,
    )
    .execute()
}
