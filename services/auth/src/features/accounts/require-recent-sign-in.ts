import type { Db } from '@looptide/service-kit/db/db'
import { AccountError } from '../../account-error.ts'
import type { Database } from '../../db/schema.ts'
import { requireFactor } from '../factors/require-factor.ts'
import { sessionRepository } from '../sessions/session-repository.ts'
import { requireAddress } from '../users/require-address.ts'
import type { Caller } from './caller.ts'
import { RECENT_SIGN_IN_MS } from './update-service.ts'

/**
 * Protects an unlocked device, as with a change of password: a further way to sign in outlives the session that added it,
 * so the session must be recent and verified with the second factor, if the user has one. `what` completes "before you".
 * Errors: `insufficient_aal`, `email_not_confirmed`, `reauthentication_needed`.
 */
export async function requireRecentSignIn(
  db: Db<Database>,
  caller: Caller,
  { what, nowMs }: { what: string; nowMs: number },
): Promise<void> {
  await requireFactor(db, caller, `AAL2 required to ${what}`)
  requireAddress(caller.user)
  if (caller.user.emailConfirmedAt === null) {
    throw new AccountError('email_not_confirmed', 'Email not confirmed')
  }
  const session = await sessionRepository.byId(db, caller.sessionId)
  if (session !== undefined && nowMs - session.createdAt.getTime() <= RECENT_SIGN_IN_MS) return
  throw new AccountError('reauthentication_needed', `Please sign in again before you ${what}.`)
}
