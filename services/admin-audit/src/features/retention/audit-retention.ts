import type { Logger } from '@looptide/service-kit/process/logger'
import { PeriodicTask } from '@looptide/service-kit/process/periodic-task'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** Time between the deletion of an account and the loss of its entries' personal data. The database enforces it too. */
const GRACE_MS = 30 * DAY_MS
/** Number of entries that one transaction changes. */
const STEP = 500
/** Number of deleted accounts that one run handles. */
const ACCOUNTS_PER_RUN = 200

interface RetentionDeps {
  db: Kysely<Database>
  logger: Logger
  /** Age at which entries lose their personal data, in days. 0: never. */
  pseudonymiseDays: number
}

/** Replaces personal data of old entries, and of entries about deleted accounts, by pseudonyms, every hour. */
export const auditRetention = (deps: RetentionDeps): PeriodicTask =>
  new PeriodicTask({
    logger: deps.logger,
    everyMs: HOUR_MS,
    atStart: true,
    failure: 'audit entries not pseudonymised',
    run: (signal) => pseudonymiseDue(deps, Date.now(), signal),
  })

/** One run of {@link auditRetention}. */
export async function pseudonymiseDue(
  { db, logger, pseudonymiseDays }: RetentionDeps,
  nowMs: number,
  signal?: AbortSignal,
): Promise<void> {
  if (pseudonymiseDays === 0) return
  let entries = await pseudonymise(db, new Date(nowMs - pseudonymiseDays * DAY_MS), null, signal)
  const graceStart = new Date(nowMs - GRACE_MS)
  const removed = await db
    .selectFrom('removedAccounts')
    .select('userId')
    .where('deletedAt', '<', graceStart)
    .orderBy('deletedAt')
    .limit(ACCOUNTS_PER_RUN)
    .execute()
  for (const { userId } of removed) {
    entries += await pseudonymise(db, graceStart, userId, signal)
    if (signal?.aborted === true) return
    await db.deleteFrom('removedAccounts').where('userId', '=', userId).execute()
  }
  if (entries > 0) logger.info({ entries }, 'audit entries pseudonymised')
}

/** Pseudonymises entries before `olderThan`, or those of `person` among them. Returns their number. */
async function pseudonymise(
  db: Kysely<Database>,
  olderThan: Date,
  person: string | null,
  signal: AbortSignal | undefined,
): Promise<number> {
  let total = 0
  let last = STEP
  while (last === STEP && signal?.aborted !== true) {
    const { rows } = await sql<{ changed: number }>`
      select audit_pseudonymise(${olderThan}, ${person}, ${STEP}) as changed`.execute(db)
    last = rows[0]?.changed ?? 0
    total += last
  }
  return total
}
