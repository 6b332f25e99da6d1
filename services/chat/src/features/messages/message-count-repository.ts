import type { Db } from '@looptide/service-kit/db/db'
import { sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** How many visible messages were posted in each of these ranges of time, in their order. */
export async function countMessages(
  db: Db<Database>,
  ranges: readonly { channelId: string; fromMs: number; toMs: number }[],
): Promise<number[]> {
  const instants = (of: 'fromMs' | 'toMs') => ranges.map((range) => new Date(range[of]).toISOString())
  const { rows } = await sql<{ count: number }>`
    select counted.count
    from unnest(
      ${ranges.map(({ channelId }) => channelId)}::text[],
      ${instants('fromMs')}::timestamptz[],
      ${instants('toMs')}::timestamptz[]
    ) with ordinality as r (channel_id, from_at, to_at, n)
    cross join lateral (
      select count(*)::int as count from live_chat_messages m
      where m.channel_id = r.channel_id and m.created_at >= r.from_at and m.created_at < r.to_at
        and not m.is_deleted
    ) counted
    order by r.n`.execute(db)
  return rows.map(({ count }) => count)
}
