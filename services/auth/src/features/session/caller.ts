import type { Transaction } from 'kysely'
import { AccountError } from '../../account-error.ts'
import type { Database } from '../../db/schema.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import * as sessionRepository from './session-repository.ts'

/** A signed-in user who changes their account with this session. */
export interface Caller {
  user: UserRow
  sessionId: string
  /** Generation of the presented token. */
  generation: number
  signedInAt: Date
  /** When the second factor was verified. Null unless session and token were verified with it (`aal2`). */
  factorVerifiedAt: Date | null
  hasFactor: boolean
  /** The session is of a paired device. */
  isDevice: boolean
}

/**
 * Locks the caller's row, so that changes of one account run one after another, and requires that the session still is what
 * the request was admitted with: an earlier change may have ended it, outdated its token or removed its second factor.
 * Errors: `user_not_found`, `session_ended`, `token_outdated`, `insufficient_aal`.
 */
export async function lockCaller(trx: Transaction<Database>, caller: Caller): Promise<UserRow> {
  const user = await userRepository.lockById(trx, caller.user.id)
  if (user === undefined) throw new AccountError('user_not_found', 'User not found')
  const session = await sessionRepository.find(trx, caller.sessionId, user.id)
  if (session === undefined) throw new AccountError('session_ended', 'The session has ended')
  if (isOutdated(caller.generation, session)) {
    throw new AccountError('token_outdated', 'invalid JWT: the session has newer tokens')
  }
  if (caller.hasFactor && session.factorVerifiedAt === null) {
    throw new AccountError('insufficient_aal', 'AAL2 required: confirm with your second factor')
  }
  return user
}

/**
 * Whether the auth protocol refuses a token of this generation. After the removal of a factor it accepts the newest token, with
 * `aal1`: stock clients refresh it later.
 */
export const isOutdated = (
  generation: number,
  { minGeneration, counter }: { minGeneration: number | null; counter: number },
): boolean => generation < Math.min(minGeneration ?? 0, counter)
