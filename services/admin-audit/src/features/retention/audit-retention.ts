import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import {
  deleteRemovedAccount,
  findLongRemoved,
  findPseudonymiseDays,
  pseudonymiseEntries,
} from './retention-repository.ts'

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
  // The function would erase nothing, and the deleted accounts must stay noted.
  if ((await findPseudonymiseDays(db)) === 0) return
  let entries = await pseudonymise(db, null, signal)
  for (const userId of await findLongRemoved(db, ACCOUNTS_PER_RUN)) {
    entries += await pseudonymise(db, userId, signal)
    if (signal?.aborted === true) return
    await deleteRemovedAccount(db, userId)
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
    last = await pseudonymiseEntries(db, person, STEP)
    total += last
  }
  return total
}
