import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { findChainHead } from './audit-repository.ts'

const LOG_EVERY_MS = 3_600_000

/**
 * Writes the head of the chain to the process's log at start and every hour. A copy of this line that the database's
 * administrator cannot change is an anchor: with it, `looptide audit verify --expect` detects a truncated log.
 */
export const chainHeadLogger = (db: Kysely<Database>, logger: Logger): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: LOG_EVERY_MS,
    atStart: true,
    failure: 'audit chain head unknown',
    run: async () => {
      const { seq, hash } = await findChainHead(db)
      logger.info({ anchor: `${seq}:${hash}` }, 'audit chain head')
    },
  })
