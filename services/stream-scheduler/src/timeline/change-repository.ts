import { inBatches } from '@looptide/service-kit/db/batches'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Store, TimelineChangesTable, Trx } from '../db/schema.ts'

export type TimelineChange = Selectable<TimelineChangesTable>

/** Records who made a version of a timeline, and how it was planned. */
export async function recordChange(
  trx: Trx,
  change: Pick<TimelineChange, 'channelId' | 'version' | 'kind' | 'actorId' | 'nextSeq'>,
): Promise<void> {
  await trx.insertInto('timelineChanges').values(change).execute()
}

/** What changed in a version of a channel's timeline; undefined if it is no longer stored. */
export async function readChange(
  db: Store,
  channelId: string,
  version: number,
): Promise<TimelineChange | undefined> {
  return db
    .selectFrom('timelineChanges')
    .selectAll()
    .where('channelId', '=', channelId)
    .where('version', '=', version)
    .executeTakeFirst()
}

/**
 * Deletes changes older than 30 days, in batches. The newest change of each channel is kept, since its programmes may
 * still be in the future.
 */
export async function pruneChanges(db: Store): Promise<void> {
  await inBatches((limit) =>
    sql`delete from timeline_changes where (channel_id, version) in (
      select channel_id, version from timeline_changes c
      where c.changed_at < now() - interval '30 days'
        and exists (select from timeline_changes n where n.channel_id = c.channel_id and n.version > c.version)
      order by c.changed_at limit ${limit})`.execute(db),
  )
}
