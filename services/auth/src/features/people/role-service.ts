import type { Role } from '@looptide/contracts/common'
import { appendAudit } from '@looptide/service-kit/audit'
import { errors } from '@looptide/service-kit/errors'
import type { Cause } from '@looptide/service-kit/outbox'
import type { Kysely, Transaction } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'
import { userRepository } from '../accounts/user-repository.ts'
import { roleOf, writeRole } from './set-role.ts'

/** Who is a moderator, who an admin. */
export class RoleService {
  readonly #db: Kysely<AuthDatabase>
  readonly #now: () => number

  constructor(db: Kysely<AuthDatabase>, now: () => number) {
    this.#db = db
    this.#now = now
  }

  /** Gives the role; nothing happens when the person has it. The last admin stays one. */
  async set(userId: string, role: Role, by: string, cause: Cause): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, userId)
      if (user === undefined) throw errors.notFound('This person')
      const admins = await lockAdmins(trx)
      const before = await roleOf(trx, userId)
      if (before === role) return
      if (before === 'admin') requireAnother(admins, userId)
      await writeRole(trx, { userId, role, grantedBy: by, now: new Date(this.#now()) }, cause)
      const facts = {
        action: 'user.role.set',
        targetType: 'user',
        targetId: userId,
        targetUserId: userId,
      } as const
      await appendAudit(
        trx,
        'auth.audit.recorded.v1',
        { ...facts, before: { role: before }, after: { role } },
        cause,
      )
    })
  }
}

/** All admins, locked in the order of their ids, so that two changes at once cannot remove the last two. */
export async function lockAdmins(trx: Transaction<AuthDatabase>): Promise<string[]> {
  const rows = await trx
    .selectFrom('userRoles')
    .select('userId')
    .where('role', '=', 'admin')
    .orderBy('userId')
    .forUpdate()
    .execute()
  return rows.map((row) => row.userId)
}

export function requireAnother(admins: readonly string[], userId: string): void {
  if (admins.every((id) => id === userId)) throw errors.conflict('At least one admin must remain.')
}
