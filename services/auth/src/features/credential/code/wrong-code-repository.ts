import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../db/schema.ts'

/** Time for which wrong codes count, in ms. */
export const WINDOW_MS = 3_600_000

/** What wrong codes of one user from one client count against. */
export interface CodeBudget {
  userId: string
  /** The client's network, if the user signed in from it before: it has its own budget. Null: that of all other networks. */
  networkDigest: Buffer | null
  isUsedUp: boolean
}

/**
 * Counts one wrong code against each budget, in a transaction that does nothing else. Runs the same statements for any number
 * of budgets, also for none, and does not wait for the disk: a commit that writes takes some milliseconds longer than one
 * that does not, which would show whether a code was sent to an email.
 */
export async function countWrongCodes(
  trx: Transaction<Database>,
  budgets: readonly CodeBudget[],
  now: Date,
): Promise<void> {
  const windowStart = new Date(now.getTime() - WINDOW_MS)
  const isInWindow = sql`counted.wrong_codes_since > ${windowStart}`
  const counted = sql`
    wrong_codes = case when ${isInWindow} then counted.wrong_codes + 1 else 1 end,
    wrong_codes_since = case when ${isInWindow} then counted.wrong_codes_since else ${now}::timestamptz end`
  const ofNetworks = budgets.filter(({ networkDigest }) => networkDigest !== null)
  const ofUsers = budgets.filter(({ networkDigest }) => networkDigest === null)
  await sql`set local synchronous_commit to off`.execute(trx)
  await sql`update users counted set ${counted}
    where counted.id = any(${ofUsers.map(({ userId }) => userId)}::uuid[])`.execute(trx)
  await sql`update account_networks counted set ${counted}
    from unnest(${ofNetworks.map(({ userId }) => userId)}::uuid[],
      ${ofNetworks.map(({ networkDigest }) => networkDigest)}::bytea[]) as used (user_id, network_digest)
    where counted.user_id = used.user_id and counted.network_digest = used.network_digest`.execute(trx)
}

/** Resets what {@link countWrongCodes} counted, after a correct code or a link. */
export async function resetWrongCodes(trx: Transaction<Database>, userId: string): Promise<void> {
  const none = { wrongCodes: 0, wrongCodesSince: null }
  await trx.updateTable('users').set(none).where('id', '=', userId).execute()
  await trx.updateTable('accountNetworks').set(none).where('userId', '=', userId).execute()
}
