import { compareIds } from './waiting-request.ts'

/**
 * Maximum number of accounts of one network that count at the same time. It covers all requests together: with a limit
 * for each request, the accounts of one network could still vote for several requests in groups of five.
 */
export const ACCOUNTS_PER_NETWORK = 5

export interface NetworkMember {
  account: string
  /** An opaque key of the account's network. */
  network: string
  /** Its oldest request or vote that is waiting, epoch ms. */
  sinceMs: number
  /** Whether it has been served more than its share, and still is counted for that. */
  isInDebt: boolean
}

/**
 * Returns the accounts that count: of each network at most `limit`, the ones in debt first, then in the order of
 * `sinceMs`. Accounts in debt keep their places until the debt is worked off, even without a request or a vote: else the
 * accounts of a network could take turns.
 */
export function withinNetworkLimit(
  members: readonly NetworkMember[],
  limit: number = ACCOUNTS_PER_NETWORK,
): ReadonlySet<string> {
  const sizes = new Map<string, number>()
  for (const { network } of members) sizes.set(network, (sizes.get(network) ?? 0) + 1)
  const isLarge = ({ network }: NetworkMember) => (sizes.get(network) ?? 0) > limit
  const counted = new Set<string>()
  for (const member of members) if (!isLarge(member)) counted.add(member.account)
  for (const group of Map.groupBy(members.filter(isLarge), ({ network }) => network).values())
    for (const { account } of firstOf(group, limit)) counted.add(account)
  return counted
}

function firstOf(group: readonly NetworkMember[], limit: number): readonly NetworkMember[] {
  const debtors = group.filter(({ isInDebt }) => isInDebt)
  const others = group.filter(({ isInDebt }) => !isInDebt)
  others.sort((a, b) => a.sinceMs - b.sinceMs || compareIds(a.account, b.account))
  return [...debtors, ...others.slice(0, Math.max(0, limit - debtors.length))]
}
