import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { findBusyAdmins } from '../audit/audit-repository.ts'
import { pruneGuard } from './guard-repository.ts'
import { recordSecurityEvent } from './security-log.ts'

const DAY_MS = 86_400_000
const CHECK_EVERY_MS = 300_000
/** Audit actions in 24 hours above which an admin's activity is unusually high. */
const ACTIONS_PER_DAY = 50

/** Checks the activity of admins at start and every 5 minutes. */
export const adminActivityCheck = (db: Kysely<Database>, logger: Logger): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: CHECK_EVERY_MS,
    atStart: true,
    failure: 'admin activity not checked',
    run: () => checkAdminActivity(db, Date.now()),
  })

/**
 * Records a security event for each admin with more than {@link ACTIONS_PER_DAY} actions in 24 hours, and prunes the data
 * of the guard. Every replica runs the check; the event is recorded once a day per admin.
 */
export async function checkAdminActivity(db: Kysely<Database>, nowMs: number): Promise<void> {
  const limit = ACTIONS_PER_DAY
  const day = new Date(nowMs).toISOString().slice(0, 10)
  for (const { adminUserId, actions } of await findBusyAdmins(db, new Date(nowMs - DAY_MS), limit)) {
    await db.transaction().execute((trx) =>
      recordSecurityEvent(trx, {
        event: 'security_high_activity_detected',
        userId: adminUserId,
        details: { actions, limit, hours: 24 },
        correlationId: null,
        once: { key: `${adminUserId} ${day}`, nowMs, forMs: 2 * DAY_MS },
      }),
    )
  }
  await pruneGuard(db, new Date(nowMs))
}
