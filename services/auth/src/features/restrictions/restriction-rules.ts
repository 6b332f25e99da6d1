import type { RestrictionType, Role } from '@looptide/contracts/common'
import { errors } from '@looptide/service-kit/errors'
import type { Transaction } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'
import { roleOf } from '../people/set-role.ts'
import type { RestrictionRow } from './restriction-repository.ts'

/** A moderator's time-out lasts at most this long, in milliseconds; only an admin restricts for longer. */
export const MAX_TIME_OUT_MS = 30 * 86_400_000

/** Admins may set and lift everything; moderators only time out of the chat. Error: `forbidden`. */
export function requirePower(role: Role, type: RestrictionType, expiresAt: Date | null, now: Date): void {
  if (role === 'admin') return
  const timeOut =
    role === 'moderator' &&
    type === 'chat_banned' &&
    expiresAt !== null &&
    expiresAt.getTime() - now.getTime() <= MAX_TIME_OUT_MS
  if (!timeOut) throw errors.forbidden()
}

/** Only an admin restricts admins and moderators. Error: `forbidden`. */
export async function requireRank(trx: Transaction<AuthDatabase>, role: Role, userId: string): Promise<void> {
  if (role === 'admin') return
  if ((await roleOf(trx, userId)) !== 'user') {
    throw errors.forbidden()
  }
}

/**
 * Only an admin lifts or replaces what an admin set. Rows without the role of their author are older than that column:
 * the author's present role counts, and one without an author is taken as an admin's. Error: `forbidden`.
 */
export async function requireReach(
  trx: Transaction<AuthDatabase>,
  role: Role,
  { createdBy, createdByRole }: RestrictionRow,
): Promise<void> {
  if (role === 'admin') return
  const setBy = createdByRole ?? (createdBy === null ? 'admin' : await roleOf(trx, createdBy))
  if (setBy === 'admin') {
    throw errors.forbidden('This restriction was set by an admin. Only an admin can change it.')
  }
}
