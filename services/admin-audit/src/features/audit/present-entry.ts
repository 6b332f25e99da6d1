import type { AuditEntry } from '@looptide/contracts/http/admin'
import type { AuditRow } from './audit-repository.ts'

/** The API representation of an entry. */
export const presentEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  adminUserId: row.adminUserId,
  action: row.action,
  targetType: row.targetType,
  targetId: row.targetId,
  targetUserId: row.targetUserId,
  details: row.details,
  before: row.before,
  after: row.after,
  createdAt: row.createdAt.toISOString(),
  isPseudonymised: row.isPseudonymised,
})
