import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Receipt } from '@looptide/fairness/receipt'
import type { Db } from '@looptide/service-kit/db/db'
import type { Transaction } from 'kysely'
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
