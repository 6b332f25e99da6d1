import type { ReactionCounts } from '@looptide/contracts/realtime'
import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** What one gateway has received during an airing, since its first reaction. */
export interface GatewayReactions {
  channelId: string
  airingId: string
  gateway: string
  counts: ReactionCounts
  /** The sum of `counts`. */
  total: number
}

/** Stores what gateways have reported. A report that is older than the stored one changes nothing. `beganAt` is that of new rows. */
export async function saveReactions(
  db: Db<Database>,
  reports: readonly GatewayReactions[],
  beganAt: Date,
): Promise<void> {
  if (reports.length === 0) return
  await db
    .insertInto('reactions')
    .values(reports.map(({ counts, ...report }) => ({ ...report, counts: JSON.stringify(counts), beganAt })))
    .onConflict((conflict) =>
      conflict
        .columns(['channelId', 'airingId', 'gateway'])
        .doUpdateSet(({ ref }) => ({ counts: ref('excluded.counts'), total: ref('excluded.total') }))
        .whereRef('reactions.total', '<', 'excluded.total'),
    )
    .execute()
}

/** Deletes the reactions to airings that began before an instant. */
export async function deleteReactionsBefore(db: Db<Database>, before: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from reactions where ctid = any(array(
      select ctid from reactions where began_at < ${before} limit ${limit}))`.execute(db),
  )
}

/** Deletes the reactions to airings of a channel. */
export async function deleteReactionsOf(db: Db<Database>, channelId: string): Promise<void> {
  await inBatches((limit) =>
    sql`delete from reactions where ctid = any(array(
      select ctid from reactions where channel_id = ${channelId} limit ${limit}))`.execute(db),
  )
}
