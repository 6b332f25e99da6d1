import type { Db } from '@looptide/service-kit/db/db'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'

const LOG_EVERY_MS = 3_600_000

/** The last link of the log's hash chain. */
export interface ChainHead {
  seq: number
  /** SHA-256 in hex. */
  hash: string
}

/** The last link of the chain; sequence number 0 if the log is empty. */
export async function findChainHead(db: Db<Database>): Promise<ChainHead> {
  const { seq, hash } = await db
    .selectFrom('auditChain')
    .select(['seq', 'hash'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { seq, hash: hash.toString('hex') }
}

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
