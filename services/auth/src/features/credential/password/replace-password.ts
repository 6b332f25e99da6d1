import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { SecurityNotices } from '../../mail/security-notices.ts'
import type { SessionChoice } from '../../session/session-repository.ts'
import type { SessionService } from '../../session/session-service.ts'
import type { UserRow } from '../../user/user-repository.ts'
import * as userRepository from '../../user/user-repository.ts'
import * as codeRepository from '../code/code-repository.ts'

/**
 * Sets the password of a locked user and removes access gained with the old one: the chosen sessions end, mailed links
 * become invalid. The user is notified. In the caller's transaction.
 */
export async function replacePassword(
  trx: Transaction<Database>,
  { sessions, notices }: { sessions: SessionService; notices: SecurityNotices },
  change: { user: UserRow; passwordHash: string; ended: SessionChoice },
  cause: Cause,
): Promise<void> {
  const { user, passwordHash, ended } = change
  const noCode = { reauthenticationDigest: null, reauthenticationSentAt: null }
  await userRepository.update(trx, user.id, { passwordHash, passwordResetRequiredAt: null, ...noCode })
  await sessions.revoke(trx, user.id, ended, 'password', cause)
  await codeRepository.clear(trx, user.id)
  await notices.passwordChanged(trx, user)
}
