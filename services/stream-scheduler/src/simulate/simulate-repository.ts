import type { UnplayableVideo } from '@looptide/contracts/http/simulation'
import { sql } from 'kysely'
import { isPlayable } from '../db/is-playable.ts'
import type { Store } from '../db/schema.ts'

/** Maximum number of videos listed. */
const MAX_LISTED = 100

/** The videos of `ids` that cannot be played, with the reasons, by title. */
export async function unplayableVideos(
  db: Store,
  ids: readonly string[],
): Promise<{ unplayable: UnplayableVideo[]; unplayableCount: number }> {
  const { rows } = await sql<UnplayableVideo>`
    select id as video_id, title, artist_name,
           case when removed_at is not null then 'removed'
                when quarantined_at is not null then 'quarantined'
                when metadata_status = 'unavailable' then 'unavailable'
                when playable then 'untitled'
                else 'unsupported' end as reason
    from videos where id = any(${ids}::uuid[]) and not ${isPlayable}
    order by title, id`.execute(db)
  return { unplayable: rows.slice(0, MAX_LISTED), unplayableCount: rows.length }
}
