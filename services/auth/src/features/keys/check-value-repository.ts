import type { Db } from '@looptide/service-kit/db/db'
import type { Database } from '../../db/schema.ts'

/** The check value, encrypted with the key secret; undefined before the first start. */
export async function findCheckValue(db: Db<Database>): Promise<Buffer | undefined> {
  const row = await db.selectFrom('secretCheck').select('sealed').executeTakeFirst()
  return row?.sealed
}

/** Stores the check value, unless there is one. */
export async function insertCheckValue(db: Db<Database>, sealed: Buffer): Promise<void> {
  await db
    .insertInto('secretCheck')
    .values({ sealed })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Replaces the check value. */
export async function replaceCheckValue(db: Db<Database>, sealed: Buffer): Promise<void> {
  await db.updateTable('secretCheck').set({ sealed }).execute()
}
