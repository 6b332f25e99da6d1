import type { AuditPage } from '@looptide/contracts/http/admin'
import { ALL_RULES, routeOf } from '../route-rules.ts'
import type { Accounts } from './accounts.ts'
import { cellsOf, type Requester } from './requesters.ts'

/** The refused admin attempts of the table: number by `<user id> <method> <path>`. */
export function expectedAttempts(accounts: Accounts): Map<string, number> {
  const attempts = new Map<string, number>()
  for (const [row, rule] of ALL_RULES) {
    const isForRole = rule.audience !== 'anyone' && rule.audience !== 'user'
    for (const [requester, answer] of Object.entries(cellsOf(rule)) as [Requester, string][]) {
      // The auth protocol has its own error code for it.
      if (answer !== '403 not_admin' && !(isForRole && answer === '403 forbidden')) continue
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
      headers: { authorization: `Bearer ${accounts.requesters.admin?.token}` },
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
