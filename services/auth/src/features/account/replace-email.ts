import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { SecurityNotices } from '../mail/security-notices.ts'
import type { KeptRestrictions } from '../registration/kept-restrictions.ts'
import type { SessionService } from '../session/session-service.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'

interface ReplaceEmailDeps {
  sessions: SessionService
  keptRestrictions: KeptRestrictions
  notices: SecurityNotices
}

/**
 * Sets the email of a locked user and notifies the former one, in the caller's transaction. Restrictions kept for the new email apply; a site ban
 * among them ends all sessions. Returns whether the user is banned.
 */
export async function replaceEmail(
  trx: Transaction<Database>,
  { sessions, keptRestrictions, notices }: ReplaceEmailDeps,
  change: { user: UserRow; email: string; confirmedAt: Date | null; now: Date },
  cause: Cause,
): Promise<boolean> {
  const { user, email, confirmedAt, now } = change
  const userId = user.id
  await userRepository.update(trx, userId, {
    email,
    anonymousSeenAt: null,
    emailConfirmedAt: confirmedAt,
    newEmail: null,
    emailChangeAgreed: null,
    emailChangeSentAt: null,
    reauthenticationDigest: null,
    reauthenticationSentAt: null,
  })
  await notices.emailChanged(trx, user, email)
  await keptRestrictions.apply(trx, { id: userId, email }, now, cause)
  if (!(await userRepository.isBanned(trx, userId, now))) return false
  await sessions.revoke(trx, userId, 'all', 'banned', cause)
  return true
}
