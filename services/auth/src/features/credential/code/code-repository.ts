import type { Db } from '@looptide/service-kit/db/db'
import type { Selectable } from 'kysely'
import type { Database, Slot } from '../../../db/schema.ts'

export type CodeRow = Selectable<Database['oneTimeTokens']>
export type AuthCodeRow = Selectable<Database['authCodes']>

const TOKEN_TABLES = ['oneTimeTokens', 'earlierTokens'] as const
/**
 * Tokens of a slot that stay valid after a newer one, so that a request does not invalidate a mail in delivery; counted
 * separately for trusted requesters, whose mails strangers could otherwise invalidate.
 */
const EARLIER_TOKENS = 2
const TOKEN_COLUMNS = [
  'id',
  'userId',
  'slot',
  'email',
  'tokenDigest',
  'codeDigest',
  'codeChallenge',
  'codeChallengeMethod',
  'passwordHash',
  'userMetadata',
  'signUpClient',
  'isTrusted',
  'createdAt',
  'expiresAt',
] as const satisfies readonly (keyof CodeRow)[]

/** Stores a token. The {@link EARLIER_TOKENS} tokens before it stay valid. The caller must have locked the user's row. */
export const put = async (db: Db<Database>, row: CodeRow): Promise<void> => {
  await keepEarlier(db, row)
  const userMetadata = row.userMetadata === null ? null : JSON.stringify(row.userMetadata)
  const { userId, slot, ...token } = row
  const fresh = { ...token, userMetadata }
  await db
    .insertInto('oneTimeTokens')
    .values({ userId, slot, ...fresh })
    .onConflict((conflict) => conflict.columns(['userId', 'slot']).doUpdateSet(fresh))
    .execute()
}

/** The token with this digest, expired ones and the earlier ones of its slot included. */
export const byDigest = async (db: Db<Database>, tokenDigest: Buffer): Promise<CodeRow | undefined> => {
  const of = (table: (typeof TOKEN_TABLES)[number]) =>
    db.selectFrom(table).selectAll().where('tokenDigest', '=', tokenDigest).executeTakeFirst()
  return (await of('oneTimeTokens')) ?? of('earlierTokens')
}

/** Valid tokens that were mailed to this email. Several users may be changing to the same email. */
export const byEmail = async (
  db: Db<Database>,
  email: string,
  slots: readonly Slot[],
  now: Date,
): Promise<CodeRow[]> => {
  const of = (table: (typeof TOKEN_TABLES)[number], limit: number) =>
    db
      .selectFrom(table)
      .selectAll()
      .where('email', '=', email)
      .where('slot', 'in', slots)
      .where('expiresAt', '>', now)
      .orderBy('userId')
      .limit(limit)
      .execute()
  const rows = [...(await of('oneTimeTokens', 20)), ...(await of('earlierTokens', 40 * EARLIER_TOKENS))]
  // Users are locked one after another; a fixed order prevents deadlocks.
  return rows.sort((a, b) => a.userId.localeCompare(b.userId))
}

/** Deletes all tokens of the slot. Of concurrent calls with tokens of one slot, exactly one returns true. */
export const consume = async (db: Db<Database>, { id, userId, slot }: CodeRow): Promise<boolean> => {
  let consumed = false
  for (const table of TOKEN_TABLES) {
    const rows = await db
      .deleteFrom(table)
      .where('userId', '=', userId)
      .where('slot', '=', slot)
      .returning('id')
      .execute()
    consumed ||= rows.some((row) => row.id === id)
  }
  return consumed
}

/** Deletes a user's tokens, PKCE codes and unsent mails with tokens. Unsent notices stay. */
export const clear = async (db: Db<Database>, userId: string): Promise<void> => {
  for (const table of TOKEN_TABLES) await db.deleteFrom(table).where('userId', '=', userId).execute()
  await db.deleteFrom('authCodes').where('userId', '=', userId).execute()
  await db.deleteFrom('mailOutbox').where('userId', '=', userId).where('slot', 'is not', null).execute()
}

/** Deletes the tokens and unsent mails of some slots. */
export const clearSlots = async (db: Db<Database>, userId: string, slots: readonly Slot[]): Promise<void> => {
  for (const table of [...TOKEN_TABLES, 'mailOutbox'] as const) {
    await db.deleteFrom(table).where('userId', '=', userId).where('slot', 'in', slots).execute()
  }
}

/** Stores a PKCE code by its digest. */
export const addAuthCode = async (db: Db<Database>, row: AuthCodeRow): Promise<void> => {
  await db.insertInto('authCodes').values(row).execute()
}

/** The PKCE code with this digest, expired ones included. */
export const authCode = (db: Db<Database>, codeDigest: Buffer): Promise<AuthCodeRow | undefined> =>
  db.selectFrom('authCodes').selectAll().where('codeDigest', '=', codeDigest).executeTakeFirst()

/** Deletes a PKCE code. Of concurrent calls exactly one returns true. */
export const consumeAuthCode = async (db: Db<Database>, codeDigest: Buffer): Promise<boolean> => {
  const row = await db
    .deleteFrom('authCodes')
    .where('codeDigest', '=', codeDigest)
    .returning('userId')
    .executeTakeFirst()
  return row !== undefined
}

/** Moves the slot's newest token to the earlier ones, and deletes the oldest like the new one beyond the limit. */
async function keepEarlier(db: Db<Database>, { userId, slot, isTrusted }: CodeRow): Promise<void> {
  await db
    .insertInto('earlierTokens')
    .columns(TOKEN_COLUMNS)
    .expression((from) =>
      from
        .selectFrom('oneTimeTokens')
        .select(TOKEN_COLUMNS)
        .where('userId', '=', userId)
        .where('slot', '=', slot),
    )
    .execute()
  const surplus = db
    .selectFrom('earlierTokens')
    .select('id')
    .where('userId', '=', userId)
    .where('slot', '=', slot)
    .where('isTrusted', '=', isTrusted)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .offset(EARLIER_TOKENS)
  await db.deleteFrom('earlierTokens').where('id', 'in', surplus).execute()
}
