import { isOutage } from '@looptide/service-kit/http/errors'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Vault } from './crypto/vault.ts'
import type { Database } from './db/schema.ts'
import { deleteUnusedAccounts } from './features/account/delete-account.ts'
import { AUTH_CODE_TTL_MS } from './features/credential/code/pkce-exchange.ts'
import { UNVERIFIED_TTL_MS } from './features/credential/factor/factor-service.ts'
import { resealSecrets } from './features/credential/factor/totp.ts'
import { CHALLENGE_TTL_MS } from './features/credential/passkey/challenges.ts'
import { FLOW_TTL_MS } from './features/credential/provider/provider-flows.ts'
import { networksExpiredBeforeMs } from './features/limits/account-networks.ts'
import { STREAK_RESET_MS } from './features/mail/mail-quota.ts'
import type { KeptRestrictions } from './features/registration/kept-restrictions.ts'
import { IDLE_LIMIT_MS } from './features/session/refresh-service.ts'
import { oldestSignInId } from './features/session/sign-in-history.ts'
import { endExpiredRestrictions } from './features/staff/restriction-service.ts'
import { userRepository } from './features/user/user-repository.ts'

const INTERVAL_MS = 60_000
/** Maximum number of rows of each kind that one pass handles. */
const BATCH_SIZE = 1000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** Time for which the refresh of an ended session is still answered with the reason (expired, banned), in ms. */
const END_REASON_TTL_MS = 30 * DAY_MS
/** Time for which an expired personal access token is still listed, in ms. */
const EXPIRED_TOKEN_TTL_MS = 30 * DAY_MS

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
    const before = (ms: number): Date => new Date(nowMs - ms)
    await endExpiredRestrictions(db, before(0), BATCH_SIZE)
    await this.#deleteUnusedAccounts(nowMs)
    for (const statement of [
      sql`delete from sessions where id in
        (select id from sessions where refreshed_at < ${before(IDLE_LIMIT_MS + END_REASON_TTL_MS)} ${lockedBatch})`,
      sql`delete from sign_ins where id in
        (select id from sign_ins where id < ${oldestSignInId(nowMs)} ${lockedBatch})`,
      sql`delete from revoked_sessions where id in
        (select id from revoked_sessions where until < ${before(0)}
          and (reason <> 'banned' or revoked_at < ${before(END_REASON_TTL_MS)}) ${lockedBatch})`,
      sql`delete from outdated_sessions where id in
        (select id from outdated_sessions where until < ${before(0)} ${lockedBatch})`,
      sql`delete from one_time_tokens where id in
        (select id from one_time_tokens where expires_at < ${before(0)} ${lockedBatch})`,
      sql`delete from earlier_tokens where id in
        (select id from earlier_tokens where expires_at < ${before(0)} ${lockedBatch})`,
      sql`delete from account_networks where ctid = any(array
        (select ctid from account_networks where last_used_at < ${new Date(networksExpiredBeforeMs(nowMs))} ${lockedBatch}))`,
      sql`delete from auth_codes where code_digest in
        (select code_digest from auth_codes where created_at < ${before(AUTH_CODE_TTL_MS + HOUR_MS)} ${lockedBatch})`,
      sql`delete from mail_throttle where ctid = any(array
        (select ctid from mail_throttle where asked_at < ${before(STREAK_RESET_MS)} ${lockedBatch}))`,
      sql`delete from spent_passkey_challenges where id in
        (select id from spent_passkey_challenges where expires_at < ${before(0)} ${lockedBatch})`,
      sql`delete from factors where id in
        (select id from factors where status = 'unverified' and created_at < ${before(UNVERIFIED_TTL_MS)} ${lockedBatch})`,
      sql`delete from factor_challenges where id in
        (select id from factor_challenges where created_at < ${before(CHALLENGE_TTL_MS + HOUR_MS)} ${lockedBatch})`,
      sql`delete from provider_flows where digest in
        (select digest from provider_flows where created_at < ${before(FLOW_TTL_MS)} ${lockedBatch})`,
      sql`delete from personal_tokens where id in
        (select id from personal_tokens where expires_at < ${before(EXPIRED_TOKEN_TTL_MS)} ${lockedBatch})`,
      sql`delete from revoked_keys where kid in
        (select kid from revoked_keys where until < ${before(0)} ${lockedBatch})`,
      sql`delete from kept_restrictions where ctid = any(array
        (select ctid from kept_restrictions where kept_until < ${before(0)} ${lockedBatch}))`,
    ] satisfies RawBuilder<unknown>[]) {
      await statement.execute(db)
    }
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

const lockedBatch = sql.raw(`limit ${BATCH_SIZE} for update skip locked`)
