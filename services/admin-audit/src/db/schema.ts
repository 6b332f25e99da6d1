import type {
  DELIVERY_KINDS,
  DELIVERY_STATES,
  WebhookFailure,
  WebhookFormat,
} from '@looptide/contracts/http/webhooks'
import type { WebhookEventType, WebhookPayload } from '@looptide/contracts/webhook-events'
import type { EventTables } from '@looptide/service-kit/db/event-tables'
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'

interface AuditDigestsTable {
  seq: number
  salt: Buffer | null
  digest: Buffer
}

interface AuditPseudonymSecretTable {
  secret: Buffer
}

/** What is, was or will be sent to a webhook. Deliveries of one lane are sent in the order of `seq`. */
export interface WebhookDeliveriesTable {
  id: string
  seq: GeneratedAlways<number>
  webhookId: string
  eventId: string
  kind: (typeof DELIVERY_KINDS)[number]
  channelId: string | null
  /** The channel of an event, or empty; of a test and a repetition its own id. */
  lane: string
  payload: JSONColumnType<WebhookPayload>
  state: Generated<(typeof DELIVERY_STATES)[number]>
  attempts: Generated<number>
  nextAttemptAt: Date
  attemptedAt: Date | null
  durationMs: number | null
  status: number | null
  /** The start of the last answer. */
  response: string | null
  error: string | null
  createdAt: Date
}

/** Whose pages may show embeds. One row at most. */
interface EmbedSettingsTable {
  onlyRow: Generated<boolean>
  origins: string[] | null
  version: number
}

export interface WebhooksTable {
  id: string
  url: string
  events: WebhookEventType[]
  channelIds: string[] | null
  format: WebhookFormat
  isActive: boolean
  /** As `whsec_…`: it signs, so it is not stored as a digest. */
  secret: string
  /** The Ed25519 key, 32 bytes in base64url. */
  signingKey: string
  previousSecret: string | null
  previousSigningKey: string | null
  /** Until then the previous ones sign too. */
  previousUntil: Date | null
  failingSince: Date | null
  disabledReason: WebhookFailure | null
  disabledAt: Date | null
  createdBy: string | null
  createdAt: Date
}

export interface Database extends EventTables {
  auditChain: AuditChainTable
  auditDigests: AuditDigestsTable
  auditLog: AuditLogTable
  auditPseudonymSecret: AuditPseudonymSecretTable
  auditSettings: AuditSettingsTable
  embedSettings: EmbedSettingsTable
  guardGrants: GuardGrantsTable
  refusedAttempts: RefusedAttemptsTable
  refusedAttemptsOfNetworks: RefusedAttemptsOfNetworksTable
  removedAccounts: RemovedAccountsTable
  securityMarks: SecurityMarksTable
  themeAssets: ThemeAssetsTable
  themeSettings: ThemeSettingsTable
  webhookDeliveries: WebhookDeliveriesTable
  webhooks: WebhooksTable
}

/** Columns of users, and ids that no foreign key checks: `tables.ts` says what they refer to. */
export interface NotedColumns {
  auditChain: 'entryId'
  auditDigests: never
  auditLog: 'adminUserId' | 'targetId' | 'targetUserId' | 'correlationId'
  auditPseudonymSecret: never
  auditSettings: never
  embedSettings: never
  guardGrants: 'adminUserId' | 'targetUserId'
  refusedAttempts: 'userId'
  refusedAttemptsOfNetworks: never
  removedAccounts: 'userId'
  securityMarks: never
  themeAssets: 'createdBy'
  themeSettings: 'createdBy'
  webhookDeliveries: 'eventId' | 'channelId'
  webhooks: 'createdBy'
}

/**
 * The audit log. Append-only: the service's role can insert and select, and a trigger rejects every change except that of
 * `audit_pseudonymise`. `id` is the event's id, so no event is recorded twice.
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

/** The hash chain over the log, written by a trigger (20261127000000-baseline.sql). The service can only read it. */
interface AuditChainTable {
  seq: number
  /** Null for entry 0, the start of the chain, and for the seal (20261127000000-baseline.sql). */
  entryId: string | null
  hash: Buffer
}

/** What the migration step stores for the database functions: one row, which the service can only read. */
interface AuditSettingsTable {
  onlyRow: Generated<boolean>
  /** Age at which entries lose their personal data, in days; less than 30 counts as 30. 0: never. */
  pseudonymiseDays: number
}

/** Deleted accounts whose entries still contain personal data. */
interface RemovedAccountsTable {
  userId: string
  /** A trigger replaces a time before that of the write. */
  deletedAt: Date
}

/** Allowed guarded actions, counted for the hourly limit. */
interface GuardGrantsTable {
  id: Generated<number>
  adminUserId: string
  action: string
  targetUserId: string | null
  grantedAt: Date
}

/** Numbers of refused admin and moderator actions, by user and hour. */
interface RefusedAttemptsTable {
  userId: string
  /** Start of the hour. */
  hour: Date
  attempts: number
}

/** The same of anonymous users, by network and hour. */
interface RefusedAttemptsOfNetworksTable {
  /** A keyed digest. */
  network: string
  /** Start of the hour. */
  hour: Date
  attempts: number
}

/** Claimed keys: an equal security event or reported attempt is not recorded again before `until`. */
interface SecurityMarksTable {
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
  cardStationName: string
  cardNextText: string
  cardPreviousText: string
  cardCountdownText: string
}

/** Uploaded logos and hero backgrounds. `version` is a digest of the bytes. */
export interface ThemeAssetsTable {
  version: string
  contentType: string
  bytes: Buffer
  createdBy: string
  createdAt: Generated<Date>
  /** Stays without a theme that uses it. */
  isKept: Generated<boolean>
}
