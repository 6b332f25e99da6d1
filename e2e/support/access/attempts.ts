import type { AuditPage } from '@looptide/contracts/http/admin'
import { bearerOf } from '@looptide/testkit/client'
import { ALL_RULES, routeOf } from '../route-rules.ts'
import type { Accounts } from './accounts.ts'
import { cellsOf, includes, type Requester } from './requesters.ts'

/** The auth protocol's error code for a user who lacks the permission. */
const NOT_ADMIN = '403 not_admin'

/**
 * The requesters who may not use a route at all, with their answer, by route: they must get it whatever they send. Routes
 * that are open to visitors are left out.
 */
export function refusedRequesters(): Map<string, [Requester, string][]> {
  const rows = Map.groupBy(ALL_RULES, ([row]) => routeOf(row))
  return new Map(
    [...rows].flatMap(([route, cases]): [string, [Requester, string][]][] => {
      const rules = cases.map(([, rule]) => rule)
      if (rules.some(({ audience }) => audience === 'anyone')) return []
      const mayUse = (requester: Requester): boolean =>
        requester !== 'banned' &&
        rules.some(({ audience, answer }) => answer !== NOT_ADMIN && includes(audience, requester))
      const [rule] = rules
      const cells = rule === undefined ? [] : (Object.entries(cellsOf(rule)) as [Requester, string][])
      return [[route, cells.filter(([requester]) => requester !== 'other' && !mayUse(requester))]]
    }),
  )
}

/**
 * The refused admin attempts of the table: number by `<user id> <method> <path>`. Each requester who may not use a route
 * tries it once more, with an invalid body.
 */
export function expectedAttempts(accounts: Accounts): Map<string, number> {
  const attempts = new Map<string, number>()
  for (const [route, refused] of refusedRequesters()) {
    for (const [requester, answer] of refused) {
      if (answer !== NOT_ADMIN && answer !== '403 forbidden') continue
      attempts.set(`${accounts.requesters[requester]?.id} ${route}`, 1)
    }
  }
  for (const [row, rule] of ALL_RULES) {
    const isForRole = rule.audience !== 'anyone' && rule.audience !== 'user'
    for (const [requester, answer] of Object.entries(cellsOf(rule)) as [Requester, string][]) {
      if (answer !== NOT_ADMIN && !(isForRole && answer === '403 forbidden')) continue
      const attempt = `${accounts.requesters[requester]?.id} ${routeOf(row)}`
      attempts.set(attempt, (attempts.get(attempt) ?? 0) + 1)
    }
  }
  return attempts
}

/** The attempts in the audit log, in the same form. */
export async function recordedAttempts(stationUrl: string, accounts: Accounts): Promise<Map<string, number>> {
  const attempts = new Map<string, number>()
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({
      action: 'security_unauthorized_admin_attempt',
      limit: '100',
      ...(cursor === null ? {} : { cursor }),
    })
    const response = await fetch(`${stationUrl}/api/audit?${query}`, {
      headers: bearerOf(accounts.requesters.admin?.token ?? ''),
    })
    const page = (await response.json()) as AuditPage
    for (const { adminUserId, details } of page.items) {
      const { route } = details as { route: string }
      const attempt = `${adminUserId} ${route.replaceAll(/\/:(\w+)/g, '/{$1}')}`
      attempts.set(attempt, (attempts.get(attempt) ?? 0) + 1)
    }
    cursor = page.nextCursor
  } while (cursor !== null)
  return attempts
}
