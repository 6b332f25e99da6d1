import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Store, TimelineChangesTable, Trx } from '../db/schema.ts'

export type TimelineChange = Selectable<TimelineChangesTable>

/** Remembers how a version of a timeline came about. */
export async function recordChange(
  trx: Trx,
  change: Pick<TimelineChange, 'channelId' | 'version' | 'kind' | 'actorId' | 'nextSeq'>,
): Promise<void> {
  await trx.insertInto('timelineChanges').values(change).execute()
}

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

/** Forgets what is older than a month, but for the newest of each channel: its programmes may still be to come. */
export async function pruneChanges(db: Store): Promise<void> {
  await sql`
    delete from timeline_changes c
    where c.changed_at < now() - interval '30 days'
      and exists (select from timeline_changes n where n.channel_id = c.channel_id and n.version > c.version)`.execute(
    db,
  )
}
