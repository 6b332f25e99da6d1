import type { Db } from '@looptide/service-kit/db'
import type { Selectable } from 'kysely'
import type { AuthDatabase, Slot } from '../../db/schema.ts'

export type CodeRow = Selectable<AuthDatabase['oneTimeTokens']>
export type AuthCodeRow = Selectable<AuthDatabase['authCodes']>

export const codeRepository = {
  /** Puts a token into its slot; the one that was there is no more. */
  put: async (db: Db<AuthDatabase>, row: CodeRow): Promise<void> => {
    const userMetadata = row.userMetadata === null ? null : JSON.stringify(row.userMetadata)
    const { userId, slot, ...token } = row
    const fresh = { ...token, userMetadata }
    await db
      .insertInto('oneTimeTokens')
      .values({ userId, slot, ...fresh })
      .onConflict((conflict) => conflict.columns(['userId', 'slot']).doUpdateSet(fresh))
      .execute()
  },

  byDigest: (db: Db<AuthDatabase>, tokenDigest: Buffer): Promise<CodeRow | undefined> =>
    db.selectFrom('oneTimeTokens').selectAll().where('tokenDigest', '=', tokenDigest).executeTakeFirst(),

  /** Tokens that were mailed to an address. Several people may be changing to the same one. */
  byEmail: (db: Db<AuthDatabase>, email: string, slots: readonly Slot[], now: Date): Promise<CodeRow[]> =>
    db
      .selectFrom('oneTimeTokens')
      .selectAll()
      .where('email', '=', email)
      .where('slot', 'in', slots)
      .where('expiresAt', '>', now)
      .orderBy('userId')
      .limit(20)
      .execute(),

  /** True for exactly one of several who use the same token at once. */
  spend: async (db: Db<AuthDatabase>, id: string): Promise<boolean> => {
    const row = await db.deleteFrom('oneTimeTokens').where('id', '=', id).returning('id').executeTakeFirst()
    return row !== undefined
  },

  /** Drops a person's open tokens, PKCE codes and the mails with them that have not gone yet; notices still go. */
  clear: async (db: Db<AuthDatabase>, userId: string): Promise<void> => {
    await db.deleteFrom('oneTimeTokens').where('userId', '=', userId).execute()
    await db.deleteFrom('authCodes').where('userId', '=', userId).execute()
    await db.deleteFrom('mailOutbox').where('userId', '=', userId).where('slot', 'is not', null).execute()
  },

  /** Drops what was mailed for some slots, gone or not. */
  clearSlots: async (db: Db<AuthDatabase>, userId: string, slots: readonly Slot[]): Promise<void> => {
    for (const table of ['oneTimeTokens', 'mailOutbox'] as const) {
      await db.deleteFrom(table).where('userId', '=', userId).where('slot', 'in', slots).execute()
    }
  },

  addAuthCode: async (db: Db<AuthDatabase>, row: AuthCodeRow): Promise<void> => {
    await db.insertInto('authCodes').values(row).execute()
  },

  authCode: (db: Db<AuthDatabase>, codeDigest: Buffer): Promise<AuthCodeRow | undefined> =>
    db.selectFrom('authCodes').selectAll().where('codeDigest', '=', codeDigest).executeTakeFirst(),

  spendAuthCode: async (db: Db<AuthDatabase>, codeDigest: Buffer): Promise<boolean> => {
    const row = await db
      .deleteFrom('authCodes')
      .where('codeDigest', '=', codeDigest)
      .returning('userId')
      .executeTakeFirst()
    return row !== undefined
  },

  /** When a mail for this address and slot was last asked for. */
  mailAskedAt: async (
    db: Db<AuthDatabase>,
    addressDigest: Buffer,
    slot: string,
  ): Promise<Date | undefined> => {
    const row = await db
      .selectFrom('mailThrottle')
      .select('askedAt')
      .where('addressDigest', '=', addressDigest)
      .where('slot', '=', slot)
      .executeTakeFirst()
    return row?.askedAt
  },

  /**
   * Notes that a mail for this address and slot is asked for now. False when the last time is less than
   * `intervalMs` ago. Unknown addresses are counted like known ones, so the answer tells nothing.
   */
  claimMail: async (
    db: Db<AuthDatabase>,
    addressDigest: Buffer,
    slot: string,
    now: Date,
    intervalMs: number,
  ): Promise<boolean> => {
    const row = await db
      .insertInto('mailThrottle')
      .values({ addressDigest, slot, askedAt: now })
      .onConflict((conflict) =>
        conflict
          .columns(['addressDigest', 'slot'])
          .doUpdateSet({ askedAt: now })
          .where('mailThrottle.askedAt', '<=', new Date(now.getTime() - intervalMs)),
      )
      .returning('slot')
      .executeTakeFirst()
    return row !== undefined
  },
}
