import type { OutdatedSession } from '@looptide/contracts/http/users'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import * as personalTokenRepository from './personal-token-repository.ts'
import type { RevokeReason, SessionChoice } from './session-repository.ts'
import * as sessionRepository from './session-repository.ts'

const IDS_PER_EVENT = 100

/** Reasons that also end the user's personal access tokens, because another person may have created them. */
const ENDS_PERSONAL_TOKENS: ReadonlySet<RevokeReason> = new Set([
  'ended_by_admin',
  'banned',
  'password',
  'deleted',
])

/** Which sessions to end before their tokens expire, and why. */
export interface Revocation {
  userId: string
  choice: SessionChoice
  reason: RevokeReason
  now: Date
  accessTokenTtlS: number
  cause: Cause
}

/**
 * Deletes the chosen sessions and publishes their revocation, in the caller's transaction. Personal access tokens end too
 * if the reason is in {@link ENDS_PERSONAL_TOKENS}; with a stolen session, those that it created. Returns the number of
 * sessions.
 */
export async function revokeSessions(trx: Transaction<Database>, revocation: Revocation): Promise<number> {
  const { userId, choice, reason } = revocation
  const ids = await sessionRepository.remove(trx, userId, choice)
  const tokens = ENDS_PERSONAL_TOKENS.has(reason)
    ? await personalTokenRepository.deleteAll(trx, userId)
    : reason === 'reused'
      ? await personalTokenRepository.deleteCreatedBy(trx, userId, ids)
      : []
  await publishRevoked(trx, [...ids, ...tokens.map(({ id }) => id)], revocation)
  return ids.length
}

/**
 * Makes every process refuse the access tokens of these sessions and personal access tokens, in the caller's
 * transaction. (The id of a personal access token is the session id of its access tokens.)
 */
export async function publishRevoked(
  trx: Transaction<Database>,
  ids: readonly string[],
  { userId, reason, now, accessTokenTtlS, cause }: Omit<Revocation, 'choice'>,
): Promise<void> {
  const until = new Date(now.getTime() + accessTokenTtlS * 1000)
  for (let start = 0; start < ids.length; start += IDS_PER_EVENT) {
    const sessionIds = ids.slice(start, start + IDS_PER_EVENT)
    await sessionRepository.addRevoked(trx, userId, sessionIds, { reason, until, revokedAt: now })
    await appendEvent(
      trx,
      'auth.session.revoked.v1',
      userId,
      { userId, sessionIds, untilMs: until.getTime() },
      cause,
    )
  }
}

/**
 * Makes every process refuse the access tokens of these sessions and personal access tokens below a generation, in the
 * caller's transaction.
 */
export async function publishOutdated(
  trx: Transaction<Database>,
  sessions: readonly OutdatedSession[],
  { userId, now, accessTokenTtlS, cause }: Omit<Revocation, 'choice' | 'reason'>,
): Promise<void> {
  const until = new Date(now.getTime() + accessTokenTtlS * 1000)
  for (let start = 0; start < sessions.length; start += IDS_PER_EVENT) {
    const outdated = sessions.slice(start, start + IDS_PER_EVENT)
    await sessionRepository.addOutdated(trx, outdated, until)
    const data = { userId, sessionIds: [], untilMs: until.getTime(), outdated }
    await appendEvent(trx, 'auth.session.revoked.v1', userId, data, cause)
  }
}
