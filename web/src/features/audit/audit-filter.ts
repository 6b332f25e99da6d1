import type { AuditEntry } from '@looptide/contracts/http/admin'

/** Filter of the audit log. Times are RFC 3339 instants. */
export interface AuditFilter {
  /** Only this entry. */
  id?: string
  adminUserId?: string
  targetUserId?: string
  action?: string
  security?: boolean
  since?: string
  until?: string
}

/** Filter values to be set; undefined removes a condition. */
export type FilterInput = { [K in keyof AuditFilter]: AuditFilter[K] | undefined }

const TEXTS = ['id', 'adminUserId', 'targetUserId', 'action', 'since', 'until'] as const

/** Reads the filter from URL parameters. */
export function readFilter(parameters: URLSearchParams): AuditFilter {
  const filter: AuditFilter = {}
  for (const name of TEXTS) {
    const value = parameters.get(name)
    if (value) filter[name] = value
  }
  const security = parameters.get('security')
  if (security === 'true' || security === 'false') filter.security = security === 'true'
  return filter
}

/** Writes the filter to URL parameters. */
export function writeFilter(filter: FilterInput): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const name of TEXTS) {
    const value = filter[name]
    if (value) parameters.set(name, value)
  }
  if (filter.security !== undefined) parameters.set('security', String(filter.security))
  return parameters
}

/** Whether `GET /api/audit` with this filter would return the entry. */
export function matchesFilter(entry: AuditEntry, filter: AuditFilter): boolean {
  const { id, adminUserId, targetUserId, action, security, since, until } = filter
  const atMs = Date.parse(entry.createdAt)
  return (
    (id === undefined || entry.id === id) &&
    (adminUserId === undefined || entry.adminUserId === adminUserId) &&
    (targetUserId === undefined || entry.targetUserId === targetUserId) &&
    (action === undefined || entry.action === action) &&
    (security === undefined || entry.action.startsWith('security_') === security) &&
    (since === undefined || atMs >= Date.parse(since)) &&
    (until === undefined || atMs < Date.parse(until))
  )
}
