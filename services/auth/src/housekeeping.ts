import { isOutage } from '@looptide/service-kit/http/errors'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely } from 'kysely'
import type { Vault } from './crypto/vault.ts'
import type { Database } from './db/schema.ts'
import { deleteExpiredRows } from './expired-row-repository.ts'
import { deleteUnusedAccounts } from './features/account/delete-account.ts'
import { resealSecrets } from './features/credential/factor/totp.ts'
import type { KeptRestrictions } from './features/registration/kept-restrictions.ts'
import { endExpiredRestrictions } from './features/staff/restriction-service.ts'
import * as userRepository from './features/user/user-repository.ts'

const INTERVAL_MS = 60_000
/** Maximum number of rows of each kind that one pass handles. */
const BATCH_SIZE = 1000
const DAY_MS = 86_400_000
interface HousekeepingDeps {
  db: Kysely<Database>
  vault: Vault
  logger: Logger
  keptRestrictions: KeptRestrictions
  unconfirmedAccountDays: number
  anonymousAccountDays: number
  now: () => number
}

/** Deletes expired rows once a minute, in batches, while the service handles requests. */
export class Housekeeping implements Background {
  readonly #deps: HousekeepingDeps
  #resealedUpTo: string | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(deps: HousekeepingDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.#runAndLog().finally(() => {
        this.#running = undefined
      })
    }, INTERVAL_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  async #runAndLog(): Promise<void> {
    try {
      await this.run()
    } catch (error) {
      const level = isOutage(error) ? 'warn' : 'error'
      this.#deps.logger[level]({ err: error }, 'housekeeping incomplete')
    }
  }

  /** Runs one pass. It handles at most {@link BATCH_SIZE} rows of each kind. */
  async run(): Promise<void> {
    const { db, vault, now } = this.#deps
    const nowMs = now()
    await endExpiredRestrictions(db, new Date(nowMs), BATCH_SIZE)
    await this.#deleteUnusedAccounts(nowMs)
    await deleteExpiredRows(db, nowMs, BATCH_SIZE)
    if (vault.hasPrevious) this.#resealedUpTo = await resealSecrets(db, vault, BATCH_SIZE, this.#resealedUpTo)
  }

  async #deleteUnusedAccounts(nowMs: number): Promise<void> {
    const { unconfirmedAccountDays, anonymousAccountDays } = this.#deps
    for (const [lock, days] of [
      [userRepository.lockUnconfirmed, unconfirmedAccountDays],
      [userRepository.lockUnusedAnonymous, anonymousAccountDays],
    ] as const) {
      const unusedSince = new Date(nowMs - days * DAY_MS)
      await deleteUnusedAccounts(this.#deps, (trx) => lock(trx, unusedSince, BATCH_SIZE))
    }
  }
}
