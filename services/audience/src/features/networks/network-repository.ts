import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { NetworkKeys } from './network-keys.ts'

/** Stores from which network an account was seen last. */
export async function saveNetwork(
  db: Db<Database>,
  userId: string,
  { day, networkKey, nextNetworkKey }: NetworkKeys,
): Promise<void> {
  await sql`
    insert into networks as known (user_id, day, network_key, next_network_key)
    values (${userId}, ${day}, ${networkKey}, ${nextNetworkKey})
    on conflict (user_id) do update
    set day = excluded.day, network_key = excluded.network_key, next_network_key = excluded.next_network_key
    where (known.day, known.network_key) <> (excluded.day, excluded.network_key)`.execute(db)
}

/**
 * SQL of the network of the row `n` of `networks`, if any, as it is called on a day (UTC date). An account that was not seen
 * on this or the previous day is a network of its own, `userId`.
 */
export const networkOn = (day: string, userId: RawBuilder<unknown>) => sql<string>`case n.day
  when ${day}::date then n.network_key
  when ${day}::date - 1 then n.next_network_key
  else ${userId}::text end`

/** Deletes the networks of accounts that were seen last before a day (UTC date), in batches. */
export async function deleteNetworksBefore(db: Db<Database>, day: string): Promise<void> {
  await inBatches((limit) =>
    sql`delete from networks where user_id = any(array(
      select user_id from networks where day < ${day}::date limit ${limit}))`.execute(db),
  )
}
