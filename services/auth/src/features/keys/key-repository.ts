import type { Db } from '@looptide/service-kit/db/db'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

export type KeyRow = Selectable<Database['signingKeys']>

/** All keys, the latest to sign first. There are few, since old ones are deleted. */
export const list = (db: Db<Database>): Promise<KeyRow[]> =>
  db.selectFrom('signingKeys').selectAll().orderBy('signsFrom', 'desc').limit(100).execute()

/** Lets one process at a time create keys. Others wait for its commit. */
export const lock = async (db: Db<Database>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('auth-signing-keys'))`.execute(db)
}

/** Stores a signing key with its encrypted private half. */
export const insert = async (
  db: Db<Database>,
  row: Omit<KeyRow, 'publicJwk'> & { publicJwk: string },
): Promise<void> => {
  await db.insertInto('signingKeys').values(row).execute()
}

/** Stores a private key that was encrypted again with the current secret. */
export const reseal = async (db: Db<Database>, kid: string, sealedPrivateJwk: Buffer): Promise<void> => {
  await db.updateTable('signingKeys').set({ sealedPrivateJwk }).where('kid', '=', kid).execute()
}

/** Records a revoked key until the last of its tokens has expired. */
export const addRevoked = async (db: Db<Database>, kid: string, until: Date): Promise<void> => {
  await db.insertInto('revokedKeys').values({ kid, until }).execute()
}

/** Deletes signing keys; unknown ones are ignored. */
export const remove = async (db: Db<Database>, kids: readonly string[]): Promise<void> => {
  if (kids.length > 0) await db.deleteFrom('signingKeys').where('kid', 'in', kids).execute()
}

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
