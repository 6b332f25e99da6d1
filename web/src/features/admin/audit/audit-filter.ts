import type { AuditEntry } from '@looptide/contracts/http/admin'

/** What the log is narrowed down to; times are RFC 3339 instants. */
export interface AuditFilter {
  adminUserId?: string
  targetUserId?: string
  action?: string
  security?: boolean
  since?: string
  until?: string
}

/** A filter in the making: what is undefined narrows nothing down. */
export type FilterWish = { [K in keyof AuditFilter]: AuditFilter[K] | undefined }

const TEXTS = ['adminUserId', 'targetUserId', 'action', 'since', 'until'] as const

/** The filter that an address tells. */
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

/** The parameters of an address that tell the filter. */
export function writeFilter(filter: FilterWish): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const name of TEXTS) {
    const value = filter[name]
    if (value) parameters.set(name, value)
  }
  if (filter.security !== undefined) parameters.set('security', String(filter.security))
  return parameters
}

/** Would the log, asked with this filter, answer the entry? As `GET /api/audit` decides it. */
export function isWithin(entry: AuditEntry, filter: AuditFilter): boolean {
  const { adminUserId, targetUserId, action, security, since, until } = filter
  const atMs = Date.parse(entry.createdAt)
  return (
    (adminUserId === undefined || entry.adminUserId === adminUserId) &&
    (targetUserId === undefined || entry.targetUserId === targetUserId) &&
    (action === undefined || entry.action === action) &&
    (security === undefined || entry.action.startsWith('security_') === security) &&
    (since === undefined || atMs >= Date.parse(since)) &&
    (until === undefined || atMs < Date.parse(until))
  )
}
