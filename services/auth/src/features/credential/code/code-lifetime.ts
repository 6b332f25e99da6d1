import type { Db } from '@looptide/service-kit/db/db'
import type { Database, MailSlot } from '../../../db/schema.ts'
import { hasStaffRole } from '../../user/user-role.ts'

/** Longest lifetime of a code that signs in a user with a role, in seconds. */
const STAFF_TTL_S = 600

/**
 * Lifetime of a mailed link or code of a user, in seconds: `otpTtlS`, and ten minutes at most for users with a role.
 * Confirmations and invitations are the exception: they are read later, and an account has few rights before.
 */
export async function codeLifetimeS(
  db: Db<Database>,
  { userId, slot }: { userId: string; slot: MailSlot },
  otpTtlS: number,
): Promise<number> {
  const isShort = slot !== 'confirmation' && (await hasStaffRole(db, userId))
  return isShort ? Math.min(otpTtlS, STAFF_TTL_S) : otpTtlS
}
