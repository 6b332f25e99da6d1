import { randomUUID } from 'node:crypto'
import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../src/db/schema.ts'
import {
  type AuditFilter,
  findBusyAdmins,
  findChainHead,
  findLastEditor,
  listActions,
  listEntries,
} from '../src/features/audit/audit-repository.ts'
import {
  claimUntil,
  countAttempt,
  countGrants,
  countNetworkAttempt,
  pruneGuard,
} from '../src/features/guard/guard-repository.ts'
import { pseudonymiseDue } from '../src/features/retention/audit-retention.ts'
import { findActiveTheme, findSavedThemes, findThemeAsset } from '../src/features/theme/theme-repository.ts'
import {
  countWaiting,
  findDue,
  listDeliveries,
  pruneDeliveries,
} from '../src/features/webhooks/delivery-repository.ts'
import { type AuditHarness, logger, startAuditHarness } from './_harness.ts'

let harness: AuditHarness
let db: Kysely<Database>
let planned: PlannedDb<Database>
const userId = randomUUID()
let webhookId: string

// Enough rows that the planner never chooses a sequential scan.
beforeAll(async () => {
  harness = await startAuditHarness()
  planned = plannedDb<Database>(harness.config.databaseUrl)
  db = planned.db
  await sql`insert into audit_log (id, admin_user_id, action, target_user_id, created_at)
    select gen_random_uuid(), gen_random_uuid(),
      case when n % 500 = 0 then 'security_unauthorized_admin_attempt' else 'video.change_' || n % 200 end,
      case when n % 10 = 0 then gen_random_uuid() end, now() - n * interval '1 minute'
    from generate_series(1, 50000) n`.execute(db)
  await sql`insert into guard_grants (admin_user_id, action, granted_at)
    select gen_random_uuid(), 'a', now() - n * interval '1 second' from generate_series(1, 20000) n`.execute(
    db,
  )
  await sql`insert into refused_attempts (user_id, hour, attempts)
    select gen_random_uuid(), now() - n * interval '1 second', 1 from generate_series(1, 20000) n`.execute(db)
  await sql`insert into refused_attempts_of_networks (network, hour, attempts)
    select n, now() - n * interval '1 second', 1 from generate_series(1, 20000) n`.execute(db)
  await sql`insert into security_marks (key, until)
    select n::text, now() + n * interval '1 second' from generate_series(1, 20000) n`.execute(db)
  await sql`insert into theme_settings (id, primary_color, secondary_color, accent_color, background_color,
      text_color, font_family, font_size, border_radius, is_active, created_by)
    select gen_random_uuid(), '', '', '', '', '', '', 1, 1, n = 1, gen_random_uuid()
    from generate_series(1, 5000) n`.execute(db)
  await sql`insert into theme_assets (version, content_type, bytes, created_by)
    select n::text, 'image/png', '', gen_random_uuid() from generate_series(1, 5000) n`.execute(db)
  await sql`insert into removed_accounts select gen_random_uuid(), now() from generate_series(1, 20000)`.execute(
    db,
  )
  await sql`insert into webhooks (id, url, events, format, is_active, secret, signing_key, created_at)
    select gen_random_uuid(), 'https://example.com/', '{}', 'standard', true, '', '', now() from generate_series(1, 20)`.execute(
    db,
  )
  await sql`insert into webhook_deliveries (id, webhook_id, event_id, kind, lane, payload, state, next_attempt_at, created_at)
    select gen_random_uuid(), w.id, gen_random_uuid(), 'event', 'channel-' || n % 5, '{}',
      case when n < 1000 then 'delivered' else 'waiting' end, now(), now() - n * interval '1 second'
    from webhooks w, generate_series(1, 2000) n`.execute(db)
  webhookId = (await db.selectFrom('webhooks').select('id').limit(1).executeTakeFirstOrThrow()).id
  await sql`analyze webhooks, webhook_deliveries, removed_accounts, audit_log, audit_chain, audit_digests, guard_grants, refused_attempts, refused_attempts_of_networks, security_marks, theme_settings, theme_assets`.execute(
    harness.ownerDb,
  )
})
afterAll(async () => {
  await planned.stop()
  await harness.stop()
})

const plansOf = (work: () => Promise<unknown>) => planned.plansOf(work)

const dayAgo = (): Date => new Date(Date.now() - 86_400_000)

it.each<[string, Omit<AuditFilter, 'limit'>]>([
  ['without a filter', {}],
  ['the next page', { after: { createdAt: dayAgo(), id: userId } }],
  ['by admin', { adminUserId: userId }],
  ['by action', { action: 'video.change_7' }],
  ['by target user', { targetUserId: userId }],
  ['of security events', { security: true }],
  ['of other events', { security: false }],
  ['by time', { since: dayAgo(), until: new Date() }],
  ['by admin and time', { adminUserId: userId, since: dayAgo() }],
])('the log %s: uses an index in order', async (_what, filter) => {
  const plans = await plansOf(() => listEntries(db, { ...filter, limit: 101 }))
  expect(plans).not.toContain('Seq Scan')
  expect(plans).not.toContain('Bitmap')
})

it.each<[string, () => Promise<unknown>]>([
  ['list actions', () => listActions(db)],
  [
    'find the last editor',
    () => findLastEditor(db, { actions: ['video.change_7'], targetId: 'x', since: dayAgo() }),
  ],
  ['find the head of the chain', () => findChainHead(db)],
  ['find busy admins', () => findBusyAdmins(db, dayAgo(), 50)],
  [
    'count grants',
    () =>
      db
        .transaction()
        .execute((trx) => countGrants(trx, { adminUserId: userId, isReversible: true }, dayAgo(), 10)),
  ],
  ['count refused attempts', () => db.transaction().execute((trx) => countAttempt(trx, userId, dayAgo()))],
  ['claim a key', () => db.transaction().execute((trx) => claimUntil(trx, 'x', new Date(), new Date()))],
  [
    'count refused attempts of a network',
    () => db.transaction().execute((trx) => countNetworkAttempt(trx, 'n', dayAgo())),
  ],
  ['prune the guard', () => pruneGuard(db, dayAgo())],
  ['find the active theme', () => findActiveTheme(db)],
  ['find saved themes', () => findSavedThemes(db, 12)],
  ['find a picture', () => findThemeAsset(db, '7')],
  ['list deliveries', () => listDeliveries(db, webhookId)],
  ['count waiting deliveries', () => countWaiting(db, webhookId, ['event'], 10)],
  ['prune deliveries', () => pruneDeliveries(db, webhookId, dayAgo())],
])('%s: uses an index', async (_what, work) => {
  expect(await plansOf(work)).not.toContain('Seq Scan')
})

it('due deliveries are found by skipping through an index, whatever waits', async () => {
  const plans = await plansOf(() => findDue(db, new Date()))
  expect(plans).toContain('webhook_deliveries_waiting')
  expect(plans).not.toContain('Seq Scan on webhook_deliveries')
})

it('deleted accounts are looked up by an index', async () => {
  const plans = await plansOf(() => pseudonymiseDue({ db, logger }))
  expect(plans).toContain('removed_accounts_deleted_at')
})
