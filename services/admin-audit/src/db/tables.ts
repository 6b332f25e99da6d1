import type { Tables } from '@looptide/service-kit/db/tables'
import type { Database, NotedColumns } from './schema.ts'

const exported = { not: 'who of the staff did it: a record of the station' } as const
const STAFF = { exported, onDeletion: { stays: 'history: stays after the account is deleted' } } as const
/** `removedAccounts` says whose entries lose their personal data. */
const PSEUDONYM = { exported, onDeletion: { stays: 'becomes a pseudonym 30 days later' } } as const

/** The tables of the audit log, the guard and the themes: what limits their rows, and what their columns with ids mean. */
export const tables = {
  auditLog: {
    bound: 'kept forever; rows cannot be deleted',
    columns: {
      adminUserId: PSEUDONYM,
      targetUserId: PSEUDONYM,
      targetId: { mayBeGone: 'history: stays after its object is deleted' },
      correlationId: { mayBeGone: 'is the id of a request' },
    },
  },
  auditChain: {
    bound: 'one per entry of the log',
    columns: { entryId: { names: 'admin_audit.audit_log' } },
  },
  auditDigests: { bound: 'one per entry of the log' },
  auditPseudonymSecret: { bound: 'one row' },
  auditSettings: { bound: 'one row' },
  embedSettings: { bound: 'one row' },
  removedAccounts: {
    bound: { at: 'deleted_at', hours: 31 * 24 },
    columns: {
      userId: {
        exported: { not: 'ids of deleted accounts' },
        onDeletion: { stays: 'outlives the account for 30 days' },
      },
    },
  },
  guardGrants: {
    bound: { at: 'granted_at', hours: 2 },
    columns: { adminUserId: STAFF, targetUserId: STAFF },
  },
  refusedAttempts: { bound: { at: 'hour', hours: 3 }, columns: { userId: STAFF } },
  refusedAttemptsOfNetworks: { bound: { at: 'hour', hours: 3 } },
  securityMarks: { bound: { at: 'until', hours: 0 } },
  themeSettings: { bound: 'saved by admins', columns: { createdBy: STAFF } },
  webhooks: { bound: 'at most 20', columns: { createdBy: STAFF } },
  webhookDeliveries: {
    // Also the last 100 of each webhook. None waits for longer than four days. Some payloads name a user, as they were sent.
    bound: { at: 'created_at', hours: 31 * 24 },
    columns: {
      eventId: { mayBeGone: 'is the id of an event of any service' },
      channelId: { mayBeGone: 'history: stays after the channel is deleted' },
    },
  },
  themeAssets: {
    bound: 'those that a theme uses, and uploads of admins for channels; others are deleted after a day',
    columns: { createdBy: STAFF },
  },
} as const satisfies Tables<Database, NotedColumns>
