import { isOutage } from '@looptide/service-kit/errors'
import type { Logger } from '@looptide/service-kit/logger'
import type { Background } from '@looptide/service-kit/run-service'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AuthDatabase } from './db/schema.ts'
import { QUIET_MS } from './features/codes/mail-quota.ts'
import { AUTH_CODE_TTL_MS } from './features/codes/verification-service.ts'
import { deleteUnconfirmed } from './features/people/delete-unconfirmed.ts'
import type { KeptRestrictions } from './features/restrictions/kept-restrictions.ts'
import { endExpiredRestrictions } from './features/restrictions/restriction-service.ts'
import { IDLE_LIMIT_MS } from './features/sessions/session-service.ts'
import { forgottenBeforeMs } from './limits/account-networks.ts'

const INTERVAL_MS = 60_000
const BATCH = 1000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** So long whoever comes back with an ended session is told why it ended. */
const NOTICE_MS = 30 * DAY_MS

interface SweepDeps {
  db: Kysely<AuthDatabase>
  logger: Logger
  kept: KeptRestrictions
  unconfirmedAccountDays: number
  now: () => number
}

/** Clears away what has run out, a bounded piece at a time, beside the requests. */
export class Sweep implements Background {
  readonly #deps: SweepDeps
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(deps: SweepDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.#runQuietly().finally(() => {
        this.#running = undefined
      })
    }, INTERVAL_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  async #runQuietly(): Promise<void> {
    try {
      await this.run()
    } catch (error) {
      const level = isOutage(error) ? 'warn' : 'error'
      this.#deps.logger[level]({ err: error }, 'the sweep was cut short')
    }
  }

  /** One round: at most a thousand rows of each kind. */
  async run(): Promise<void> {
    const { db, kept, unconfirmedAccountDays, now } = this.#deps
    const nowMs = now()
    const before = (ms: number): Date => new Date(nowMs - ms)
    await endExpiredRestrictions(db, before(0), BATCH)
    await deleteUnconfirmed(db, kept, before(0), before(unconfirmedAccountDays * DAY_MS), BATCH)
    for (const doomed of [
      sql`delete from sessions where id in
        (select id from sessions where refreshed_at < ${before(IDLE_LIMIT_MS + NOTICE_MS)} ${batch})`,
      sql`delete from revoked_sessions where id in
        (select id from revoked_sessions where until < ${before(0)}
          and (reason <> 'banned' or revoked_at < ${before(NOTICE_MS)}) ${batch})`,
      sql`delete from one_time_tokens where id in
        (select id from one_time_tokens where expires_at < ${before(0)} ${batch})`,
      sql`delete from earlier_tokens where id in
        (select id from earlier_tokens where expires_at < ${before(0)} ${batch})`,
      sql`delete from account_networks where ctid = any(array
        (select ctid from account_networks where last_used_at < ${new Date(forgottenBeforeMs(nowMs))} ${batch}))`,
      sql`delete from auth_codes where code_digest in
        (select code_digest from auth_codes where created_at < ${before(AUTH_CODE_TTL_MS + HOUR_MS)} ${batch})`,
      sql`delete from mail_throttle where ctid = any(array
        (select ctid from mail_throttle where asked_at < ${before(QUIET_MS)} ${batch}))`,
      sql`delete from revoked_keys where kid in
        (select kid from revoked_keys where until < ${before(0)} ${batch})`,
      sql`delete from kept_restrictions where ctid = any(array
        (select ctid from kept_restrictions where kept_until < ${before(0)} ${batch}))`,
    ] satisfies RawBuilder<unknown>[]) {
      await doomed.execute(db)
    }
  }
}

const batch = sql.raw(`limit ${BATCH} for update skip locked`)
