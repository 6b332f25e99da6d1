import type { RequestSlot } from '@looptide/contracts/schedule'
import type { ChannelRow, Store, Trx } from '../db/schema.ts'

export interface NewChannel {
  id: string
  name: string
  description: string | null
  position: number
  seed: string
  createdBy: string | null
  shuffleEnabled?: boolean
  requestEvery?: number | null
  takesRequests?: boolean
  requestSlots?: RequestSlot[]
  logoUrl?: string | null
}

/** Ids of channels that are `slug` or start with `slug-`. */
export async function findSlugsLike(db: Store, slug: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('channels')
    .select('id')
    .where((where) => where.or([where('id', '=', slug), where('id', 'like', `${slug}-%`)]))
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** Number of channels, inactive ones included. */
export async function countChannels(db: Store): Promise<number> {
  const row = await db
    .selectFrom('channels')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** The new row; undefined if another transaction has just used the id. */
export async function insertChannel(trx: Trx, channel: NewChannel): Promise<ChannelRow | undefined> {
  return trx
    .insertInto('channels')
    .values({ ...channel, endsAtMs: null, leader: null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a channel with its playlist, timeline and air log. Videos quarantined on it stay in quarantine. */
export async function deleteChannel(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('videos')
    .set({ quarantineChannelId: null })
    .where('quarantinedAt', 'is not', null)
    .where('quarantineChannelId', '=', id)
    .execute()
  await trx.deleteFrom('channels').where('id', '=', id).execute()
}

/** Of these channels, the number that have no timeline yet, or a schedule with problems. */
export async function countUnplanned(db: Store, ids: readonly string[]): Promise<number> {
  const unplanned = await db
    .selectFrom('channels')
    .select('id')
    .where('id', 'in', ids)
    // A schedule without videos has problems until they arrive.
    .where((where) => where.or([where('endsAtMs', 'is', null), where('scheduleProblems', '>', 0)]))
    .execute()
  return unplanned.length
}
