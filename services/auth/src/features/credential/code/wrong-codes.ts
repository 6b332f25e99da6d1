import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { AccountNetworks } from '../../limits/account-networks.ts'
import type { UserRow } from '../../user/user-repository.ts'

/** Number of wrong codes after which codes are refused for the rest of the hour. Links still work. */
const MAX_WRONG_CODES = 10
const WINDOW_MS = 3_600_000

/** What wrong codes of one user from one client count against. */
interface CodeBudget {
  userId: string
  /** The client's network, if the user signed in from it before: it has its own budget. Null: that of all other networks. */
  networkDigest: Buffer | null
  isUsedUp: boolean
}

interface Counted {
  wrongCodes: number
  wrongCodesSince: Date | null
}

const isUsedUp = ({ wrongCodes, wrongCodesSince }: Counted, nowMs: number): boolean =>
  wrongCodes >= MAX_WRONG_CODES && nowMs - (wrongCodesSince?.getTime() ?? 0) < WINDOW_MS

/** Finds the budgets of locked users. Runs the same statements for any number of users, also for none. */
export async function findCodeBudgets(
  trx: Transaction<Database>,
  { networks, now }: { networks: AccountNetworks; now: () => number },
  users: readonly UserRow[],
  ip: string | null,
): Promise<ReadonlyMap<string, CodeBudget>> {
  const ids = users.map(({ id }) => id)
  const known = new Map((await networks.find(trx, ids, ip)).map((row) => [row.userId, row]))
  return new Map(
    users.map((user): [string, CodeBudget] => {
      const network = known.get(user.id)
      const networkDigest = network?.networkDigest ?? null
      return [user.id, { userId: user.id, networkDigest, isUsedUp: isUsedUp(network ?? user, now()) }]
    }),
  )
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
