import type { Db } from '@looptide/service-kit/db/db'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from './db/schema.ts'
import { AUTH_CODE_TTL_MS } from './features/credential/code/pkce-exchange.ts'
import { UNVERIFIED_TTL_MS } from './features/credential/factor/factor-service.ts'
import { CHALLENGE_TTL_MS } from './features/credential/passkey/challenges.ts'
import { FLOW_TTL_MS } from './features/credential/provider/provider-flows.ts'
import { networksExpiredBeforeMs } from './features/limits/account-networks.ts'
import { STREAK_RESET_MS } from './features/mail/mail-quota.ts'
import { IDLE_LIMIT_MS } from './features/session/refresh-service.ts'
import { oldestSignInId } from './features/session/sign-in-history.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** Time for which the refresh of an ended session is still answered with the reason (expired, banned), in ms. */
const END_REASON_TTL_MS = 30 * DAY_MS
/** Time for which an expired personal access token is still listed, in ms. */
const EXPIRED_TOKEN_TTL_MS = 30 * DAY_MS

/** Deletes expired rows of all tables, at most `limit` of each. Rows that other processes lock are skipped. */
export async function deleteExpiredRows(db: Db<Database>, nowMs: number, limit: number): Promise<void> {
  const before = (ms: number): Date => new Date(nowMs - ms)
  const batch = sql`limit ${sql.lit(limit)} for update skip locked`
  for (const statement of [
    sql`delete from sessions where id in
      (select id from sessions where refreshed_at < ${before(IDLE_LIMIT_MS + END_REASON_TTL_MS)} ${batch})`,
    sql`delete from sign_ins where id in
      (select id from sign_ins where id < ${oldestSignInId(nowMs)} ${batch})`,
    sql`delete from revoked_sessions where id in
      (select id from revoked_sessions where until < ${before(0)}
        and (reason <> 'banned' or revoked_at < ${before(END_REASON_TTL_MS)}) ${batch})`,
    sql`delete from outdated_sessions where id in
      (select id from outdated_sessions where until < ${before(0)} ${batch})`,
    sql`delete from one_time_tokens where id in
      (select id from one_time_tokens where expires_at < ${before(0)} ${batch})`,
    sql`delete from earlier_tokens where id in
      (select id from earlier_tokens where expires_at < ${before(0)} ${batch})`,
    sql`delete from account_networks where ctid = any(array
      (select ctid from account_networks where last_used_at < ${new Date(networksExpiredBeforeMs(nowMs))} ${batch}))`,
    sql`delete from auth_codes where code_digest in
      (select code_digest from auth_codes where created_at < ${before(AUTH_CODE_TTL_MS + HOUR_MS)} ${batch})`,
    sql`delete from mail_throttle where ctid = any(array
      (select ctid from mail_throttle where asked_at < ${before(STREAK_RESET_MS)} ${batch}))`,
    sql`delete from spent_passkey_challenges where id in
      (select id from spent_passkey_challenges where expires_at < ${before(0)} ${batch})`,
    sql`delete from factors where id in
      (select id from factors where status = 'unverified' and created_at < ${before(UNVERIFIED_TTL_MS)} ${batch})`,
    sql`delete from factor_challenges where id in
      (select id from factor_challenges where created_at < ${before(CHALLENGE_TTL_MS + HOUR_MS)} ${batch})`,
    sql`delete from provider_flows where digest in
      (select digest from provider_flows where created_at < ${before(FLOW_TTL_MS)} ${batch})`,
    sql`delete from device_grants where device_code_digest in
      (select device_code_digest from device_grants where expires_at < ${before(HOUR_MS)} ${batch})`,
    sql`delete from personal_tokens where id in
      (select id from personal_tokens where expires_at < ${before(EXPIRED_TOKEN_TTL_MS)} ${batch})`,
    sql`delete from revoked_keys where kid in
      (select kid from revoked_keys where until < ${before(0)} ${batch})`,
    sql`delete from kept_restrictions where ctid = any(array
      (select ctid from kept_restrictions where kept_until < ${before(0)} ${batch}))`,
  ] satisfies RawBuilder<unknown>[]) {
    await statement.execute(db)
  }
}
