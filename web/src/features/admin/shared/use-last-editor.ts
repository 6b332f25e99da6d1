import type { AuditEntry, AuditPage } from '@looptide/contracts/http/admin'
import { topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { api } from '../../../lib/clients.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { useProfiles } from '../audit/api.ts'

/** Number of latest audit entries among which the change is looked up. */
const ENTRIES = 50

/**
 * Handle or artist name of the other admin who made the latest recorded change of an action that starts with `action`, of
 * `targetId` if given. Undefined if it is not among the latest entries, for a change by the user's
 * own account, and for users who may not read the log.
 */
export function useLastEditor(action: string, targetId?: string): string | undefined {
  const { userId, may } = useSession()
  const mayRead = may('audit:read')
  const response = useSWR(mayRead ? ['/api/audit', 'latest'] : null, ([path]: [string, string]) =>
    api.get<AuditPage>(path, { query: { limit: ENTRIES } }),
  )
  // A change is recorded shortly after it is made.
  const reload = useReload(response)
  useTopic('audit', mayRead ? topics.audit : null, { entry: reload }, reload)
  const last = response.data?.items.find((entry) => isChangeOf(entry, action, targetId))
  const profiles = useProfiles(last ? [last] : [])
  if (!last?.adminUserId || last.adminUserId === userId) return undefined
  const profile = profiles.get(last.adminUserId)
  return profile?.handle ? `@${profile.handle}` : (profile?.artistName ?? undefined)
}

const isChangeOf = (entry: AuditEntry, action: string, targetId: string | undefined): boolean =>
  entry.action.startsWith(action) && (targetId === undefined || entry.targetId === targetId)
