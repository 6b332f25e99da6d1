import type { Db } from '@looptide/service-kit/db'
import type { Logger } from '@looptide/service-kit/logger'
import type { Kysely } from 'kysely'
import type { AdminAuditDb } from '../../db/schema.ts'

const LOG_EVERY_MS = 3_600_000

/** The last link of the log's hash chain. */
export interface ChainHead {
  seq: number
  /** SHA-256 in hex. */
  hash: string
}

/** The last link; sequence number 0 when the log is empty. */
export async function findChainHead(db: Db<AdminAuditDb>): Promise<ChainHead> {
  const { seq, hash } = await db
    .selectFrom('auditChain')
    .select(['seq', 'hash'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { seq, hash: hash.toString('hex') }
}

interface LogDeps {
  db: Kysely<AdminAuditDb>
  logger: Logger
}

/**
 * Writes the chain's head to the process's log at start and every hour. Kept where the database's administrator cannot
 * change it, such a line is an anchor: `looptide audit verify --expect` finds out if later the log's end is missing.
 */
export class ChainHeadLog {
  readonly #deps: LogDeps
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(deps: LogDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#begin()
    this.#timer = setInterval(() => this.#begin(), LOG_EVERY_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  #begin(): void {
    this.#running = this.#log()
  }

  async #log(): Promise<void> {
    const { db, logger } = this.#deps
    try {
      const { seq, hash } = await findChainHead(db)
      logger.info({ anchor: `${seq}:${hash}` }, 'audit chain head')
    } catch (error) {
      logger.warn({ err: error }, 'audit chain head unknown')
    }
  }
}
