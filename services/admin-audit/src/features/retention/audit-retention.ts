import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

const HOUR_MS = 3_600_000
/** Number of entries that one transaction changes. */
const STEP = 500
/** Number of deleted accounts that one run handles. */
const ACCOUNTS_PER_RUN = 200

interface RetentionDeps {
  db: Kysely<Database>
  logger: Logger
}

/**
 * Replaces personal data of old entries, and of entries about accounts that were deleted 30 days ago, by pseudonyms, every
 * hour. The database decides what is due (`audit_pseudonymise`), by its own clock.
 */
export const auditRetention = (deps: RetentionDeps): PeriodicTask =>
  new PeriodicTask({
    logger: deps.logger,
    everyMs: HOUR_MS,
    atStart: true,
    failure: 'audit entries not pseudonymised',
    run: (signal) => pseudonymiseDue(deps, signal),
  })

/** One run of {@link auditRetention}. */
export async function pseudonymiseDue({ db, logger }: RetentionDeps, signal?: AbortSignal): Promise<void> {
  const settings = await db.selectFrom('auditSettings').select('pseudonymiseDays').executeTakeFirstOrThrow()
  // The function would erase nothing, and the deleted accounts must stay noted.
  if (settings.pseudonymiseDays === 0) return
  let entries = await pseudonymise(db, null, signal)
  const removed = await db
    .selectFrom('removedAccounts')
    .select('userId')
    .where('deletedAt', '<=', sql<Date>`now() - interval '30 days'`)
    .orderBy('deletedAt')
    .limit(ACCOUNTS_PER_RUN)
    .execute()
  for (const { userId } of removed) {
    entries += await pseudonymise(db, userId, signal)
    if (signal?.aborted === true) return
    await db.deleteFrom('removedAccounts').where('userId', '=', userId).execute()
  }
  if (entries > 0) logger.info({ entries }, 'audit entries pseudonymised')
}

/** Pseudonymises the entries that are due, or those of `person` among them. Returns their number. */
async function pseudonymise(
  db: Kysely<Database>,
  person: string | null,
  signal: AbortSignal | undefined,
): Promise<number> {
  let total = 0
  let last = STEP
  while (last === STEP && signal?.aborted !== true) {
    const { rows } = await sql<{ changed: number }>`
      select audit_pseudonymise(now(), ${person}, ${STEP}) as changed`.execute(db)
    last = rows[0]?.changed ?? 0
    total += last
  }
  return total
}
