import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Receipt } from '@looptide/fairness/receipt'
import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

const [compress, expand] = [promisify(gzip), promisify(gunzip)]

/** Stores the receipt of an aired request, compressed. */
export async function insertReceipt(
  trx: Transaction<Database>,
  requestId: string,
  receipt: Receipt,
): Promise<void> {
  const body = await compress(JSON.stringify(receipt))
  const { digest, decidedAt } = receipt
  await trx
    .insertInto('receipts')
    .values({ requestId, body, digest, decidedAt: new Date(decidedAt) })
    .execute()
}

/** The receipt of a request; undefined if it has none. */
export async function findReceipt(db: Db<Database>, requestId: string): Promise<Receipt | undefined> {
  const row = await db
    .selectFrom('receipts')
    .select('body')
    .where('requestId', '=', requestId)
    .executeTakeFirst()
  return row && (JSON.parse(String(await expand(row.body))) as Receipt)
}

/** The request that a programme was, with the handle of its requester. */
export const findAired = (db: Db<Database>, channelId: string, programmeId: string) =>
  db
    .selectFrom('requests as r')
    .leftJoin('profiles as p', 'p.userId', 'r.userId')
    .select(['r.id', 'r.userId', 'p.handle', 'p.showsRequests', 'r.requestedAt', 'r.currency'])
    .where('r.channelId', '=', channelId)
    .where('r.airingId', '=', programmeId)
    .executeTakeFirst()

/**
 * The requests of a channel that started in [from, to), the oldest one first, after one of them; one row more than `limit` if
 * there is one. `digest`: that of the receipt.
 */
export const listAired = (
  db: Db<Database>,
  channelId: string,
  { from, to, after }: { from: Date; to: Date; after: { airedAt: Date; id: string } | null },
  limit: number,
) =>
  db
    .selectFrom('requests as r')
    .leftJoin('receipts', 'receipts.requestId', 'r.id')
    .select(['r.id', 'r.airingId', 'r.title', 'r.artistName', 'r.currency', 'receipts.digest'])
    .select((eb) => eb.ref('r.airedAt').$notNull().as('airedAt'))
    .where('r.channelId', '=', channelId)
    .where('r.airedAt', '>=', from)
    .where('r.airedAt', '<', to)
    .where((eb) =>
      after === null
        ? eb.lit(true)
        : sql<boolean>`(r.aired_at, r.id) > (${after.airedAt}, ${after.id}::uuid)`,
    )
    .orderBy('r.airedAt')
    .orderBy('r.id')
    .limit(limit + 1)
    .execute()

/** The videos of those of these requests that are stored, by request. */
export async function titlesOf(
  db: Db<Database>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { title: string; artistName: string }>> {
  const { rows } = await sql<{ id: string; title: string; artistName: string }>`
    select id, title, artist_name from requests where id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, ...video }) => [id, video]))
}
