import type { Transaction } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { AccountNetworks } from '../../limits/account-networks.ts'
import type { UserRow } from '../../user/user-repository.ts'
import { type CodeBudget, WINDOW_MS } from './wrong-code-repository.ts'

/** Number of wrong codes after which codes are refused for the rest of the hour. Links still work. */
const MAX_WRONG_CODES = 10

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
