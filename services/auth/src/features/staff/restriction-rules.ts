import type { RestrictionType, Role } from '@looptide/contracts/common'
import { may } from '@looptide/contracts/permissions'
import { errors } from '@looptide/service-kit/http/errors'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { RestrictionRow } from '../user/restriction-repository.ts'
import { roleOf } from '../user/role-repository.ts'

/** Longest time-out that a moderator may set, in ms. Only admins restrict for longer. */
const MAX_TIME_OUT_MS = 30 * 86_400_000

/** Admins may set and lift every restriction, moderators only time-outs of the chat. Errors: `forbidden`. */
export function requireMayRestrict(
  role: Role,
  type: RestrictionType,
  expiresAt: Date | null,
  now: Date,
): void {
  if (may(role, 'users:manage')) return
  const isTimeOut =
    may(role, 'chat:moderate') &&
    type === 'chat_banned' &&
    expiresAt !== null &&
    expiresAt.getTime() - now.getTime() <= MAX_TIME_OUT_MS
  if (!isTimeOut) throw errors.forbidden()
}

/** Only admins restrict admins and moderators. Errors: `forbidden`. */
export async function requireMayRestrictUser(
  trx: Transaction<Database>,
  role: Role,
  userId: string,
): Promise<void> {
  if (may(role, 'users:manage')) return
  if (may(await roleOf(trx, userId), 'chat:moderate')) throw errors.forbidden()
}

/**
 * Only admins lift or replace what an admin set. In rows older than `createdByRole` the author's current role counts; a
 * row without an author counts as set by an admin. Errors: `forbidden`.
 */
export async function requireMayOverride(
  trx: Transaction<Database>,
  role: Role,
  { createdBy, createdByRole }: RestrictionRow,
): Promise<void> {
  if (may(role, 'users:manage')) return
  const setBy = createdByRole ?? (createdBy === null ? 'admin' : await roleOf(trx, createdBy))
  if (may(setBy, 'users:manage')) {
    throw errors.forbidden('This restriction was set by an admin. Only an admin can change it.')
  }
}
