import type { EventTables } from '@looptide/service-kit/event-tables'
import type { Generated, JSONColumnType } from 'kysely'

export interface AdminAuditDb extends EventTables {
  auditLog: AuditLogTable
  auditChain: AuditChainTable
  guardGrants: GuardGrantsTable
  refusedAttempts: RefusedAttemptsTable
  securityMarks: SecurityMarksTable
  themeAssets: ThemeAssetsTable
  themeSettings: ThemeSettingsTable
}

/**
 * Append-only: the service's role may insert and select, and a trigger refuses every change. `id` is the event's, so
 * nothing is recorded twice.
 */
export interface AuditLogTable {
  id: string
  adminUserId: string | null
  action: string
  targetType: string | null
  targetId: string | null
  targetUserId: string | null
  details: JSONColumnType<object> | null
  before: JSONColumnType<object> | null
  after: JSONColumnType<object> | null
  correlationId: string | null
  createdAt: Date
}

/** The hash chain over the log, written by a trigger; see its migration. The service may only read it. */
export interface AuditChainTable {
  seq: number
  /** Null for entry 0, the beginning. */
  entryId: string | null
  hash: Buffer
}

/** Guarded actions that were allowed: what the hourly limit counts. */
export interface GuardGrantsTable {
  id: Generated<number>
  adminUserId: string
  action: string
  targetUserId: string | null
  grantedAt: Date
}

/** How many requests of a user were refused for want of a role, by the hour. */
export interface RefusedAttemptsTable {
  userId: string
  /** The hour's beginning. */
  hour: Date
  attempts: number
}

/** Security events that need not be told again before `until`. */
export interface SecurityMarksTable {
  key: string
  until: Date
}

export interface ThemeSettingsTable {
  id: string
  primaryColor: string
  secondaryColor: string
  accentColor: string
  backgroundColor: string
  textColor: string
  fontFamily: string
  fontSize: number
  borderRadius: number
  logoUrl: string | null
  heroBackgroundUrl: string | null
  isActive: boolean
  createdBy: string
  createdAt: Generated<Date>
}

/** Uploaded logos and hero backgrounds; `version` is a digest of the bytes. */
export interface ThemeAssetsTable {
  version: string
  contentType: string
  bytes: Buffer
  createdBy: string
  createdAt: Generated<Date>
}
