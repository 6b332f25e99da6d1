import type { Role } from '@looptide/contracts/common'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { SecurityNotices } from '../mail/security-notices.ts'
import { isAnonymous } from '../user/require-address.ts'
import { lockAdmins, roleOf } from '../user/role-repository.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import { requireAnother, writeRole } from '../user/user-role.ts'

/** Assigns roles. */
export class RoleService {
  readonly #db: Kysely<Database>
  readonly #notices: SecurityNotices
  readonly #now: () => number

  constructor(db: Kysely<Database>, notices: SecurityNotices, now: () => number) {
    this.#db = db
    this.#notices = notices
    this.#now = now
  }

  /** Sets a user's role. Does nothing when the user has it already. Errors: `conflict` for the last admin. */
  async set(userId: string, role: Role, by: string, cause: Cause): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, userId)
      if (user === undefined) throw errors.notFound('This user')
      await this.setIn(trx, user, role, by, cause)
    })
  }

  /** Like {@link set}, in the transaction of a caller who has locked the user's row. */
  async setIn(
    trx: Transaction<Database>,
    user: UserRow,
    role: Role,
    by: string | null,
    cause: Cause,
  ): Promise<void> {
    const userId = user.id
    const admins = await lockAdmins(trx)
    const before = await roleOf(trx, userId)
    if (before === role) return
    if (isAnonymous(user)) throw errors.conflict('An anonymous user cannot have a role.')
    if (before === 'admin') requireAnother(admins, userId)
    await writeRole(trx, { userId, role, grantedBy: by, now: new Date(this.#now()) }, cause)
    if (role !== 'user') await this.#notices.roleGranted(trx, user, role)
    const target = {
      action: 'user.role.set',
      targetType: 'user',
      targetId: userId,
      targetUserId: userId,
    } as const
    await appendAudit(
      trx,
      'auth.audit.recorded.v1',
      { ...target, before: { role: before }, after: { role } },
      cause,
    )
  }
}
