import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { codeRepository } from '../codes/code-repository.ts'
import type { SessionChoice } from '../sessions/session-repository.ts'
import type { SessionService } from '../sessions/session-service.ts'
import { userRepository } from '../users/user-repository.ts'

/**
 * Sets the password of a locked user and removes access gained with the old one: the chosen sessions end, mailed links
 * become invalid. In the caller's transaction.
 */
export async function replacePassword(
  trx: Transaction<Database>,
  sessions: SessionService,
  change: { userId: string; passwordHash: string; ended: SessionChoice },
  cause: Cause,
): Promise<void> {
  const { userId, passwordHash, ended } = change
  const noCode = { reauthenticationDigest: null, reauthenticationSentAt: null }
  await userRepository.update(trx, userId, { passwordHash, ...noCode })
  await sessions.revoke(trx, userId, ended, 'password', cause)
  await codeRepository.clear(trx, userId)
}
