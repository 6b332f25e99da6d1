import type { Db } from '@looptide/service-kit/db/db'
import { AccountError } from '../../account-error.ts'
import type { Database } from '../../db/schema.ts'
import type { Caller } from '../accounts/caller.ts'
import { factorRepository } from './factor-repository.ts'

/**
 * Refuses a change of how a user signs in, unless the session was verified with the second factor or the user has none
 * (as in GoTrue). Errors: `insufficient_aal`.
 */
export async function requireFactor(db: Db<Database>, caller: Caller, message: string): Promise<void> {
  if (caller.hasFactor || !(await factorRepository.hasVerified(db, caller.user.id))) return
  throw new AccountError('insufficient_aal', message)
}
