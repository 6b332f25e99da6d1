import type { Db } from '@looptide/service-kit/db/db'
import type { Database } from '../../db/schema.ts'

/** Replaces the codes of a factor. */
export const replace = async (
  db: Db<Database>,
  factorId: string,
  digests: readonly Buffer[],
): Promise<void> => {
  await db.deleteFrom('recoveryCodes').where('factorId', '=', factorId).execute()
  const rows = digests.map((codeDigest) => ({ factorId, codeDigest, usedAt: null }))
  await db.insertInto('recoveryCodes').values(rows).execute()
}

/** How many codes the factor got, and how many of them are unused. */
export const count = async (
  db: Db<Database>,
  factorId: string,
): Promise<{ total: number; remaining: number }> => {
  const codes = await db
    .selectFrom('recoveryCodes')
    .select('usedAt')
    .where('factorId', '=', factorId)
    .execute()
  return { total: codes.length, remaining: codes.filter(({ usedAt }) => usedAt === null).length }
}

/** Marks an unused code as used. False when there is none with this digest. */
export const use = async (
  db: Db<Database>,
  factorId: string,
  codeDigest: Buffer,
  usedAt: Date,
): Promise<boolean> => {
  const used = await db
    .updateTable('recoveryCodes')
    .set({ usedAt })
    .where('factorId', '=', factorId)
    .where('codeDigest', '=', codeDigest)
    .where('usedAt', 'is', null)
    .returning('factorId')
    .executeTakeFirst()
  return used !== undefined
}
