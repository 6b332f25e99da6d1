import { MAX_REACTION_STEPS, REACTION_STEP_MS } from '@looptide/contracts/http/airing-details'
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
  /** When the report was received. */
  at: Date
}

/**
 * Stores what gateways have reported. A report that is older than the stored one changes nothing. The pace keeps the numbers
 * after each step, at most {@link MAX_REACTION_STEPS}: later ones replace the last.
 */
export async function saveReactions(db: Db<Database>, reports: readonly GatewayReactions[]): Promise<void> {
  if (reports.length === 0) return
  const step = sql`least(
    ${MAX_REACTION_STEPS - 1},
    greatest(0, floor(extract(epoch from excluded.began_at - reactions.began_at) * 1000 / ${REACTION_STEP_MS})))::integer`
  await db
    .insertInto('reactions')
    .values(
      reports.map(({ counts, at, ...report }) => ({
        ...report,
        counts: JSON.stringify(counts),
        beganAt: at,
        pace: JSON.stringify({ 0: counts }),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['channelId', 'airingId', 'gateway'])
        .doUpdateSet(({ ref }) => ({
          counts: ref('excluded.counts'),
          total: ref('excluded.total'),
          pace: sql`reactions.pace || jsonb_build_object((${step})::text, excluded.counts)`,
        }))
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
