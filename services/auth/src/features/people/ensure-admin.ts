import { appendAudit } from '@looptide/service-kit/audit'
import type { Kysely } from 'kysely'
import type { PasswordHasher } from '../../crypto/password-hasher.ts'
import type { AuthDatabase } from '../../db/schema.ts'
import { readEmail } from '../../protocol/read-body.ts'
import { createAccount } from '../accounts/create-account.ts'
import { requireStrong } from '../accounts/password-rule.ts'
import { userRepository } from '../accounts/user-repository.ts'
import { roleOf, writeRole } from './set-role.ts'

interface Admin {
  email: string
  password: string
}

/**
 * Makes sure that an admin with this address is there. An account that exists keeps its password; it is
 * confirmed and given the role. Answers whether the account was made now.
 */
export async function ensureAdmin(
  db: Kysely<AuthDatabase>,
  hasher: PasswordHasher,
  admin: Admin,
): Promise<boolean> {
  const email = readEmail(admin.email)
  requireStrong(admin.password)
  const passwordHash = await hasher.hash(admin.password)
  return db.transaction().execute(async (trx) => {
    const now = new Date()
    const userMetadata = { full_name: 'Admin' }
    const created = await createAccount(trx, { email, passwordHash, userMetadata, confirmed: true, now }, {})
    const user = created ?? (await userRepository.lockByEmail(trx, email))
    if (user === undefined) throw new Error('The account went away while it was looked at; try again')
    if (user.emailConfirmedAt === null) {
      await userRepository.update(trx, user.id, { emailConfirmedAt: now, updatedAt: now })
    }
    const before = await roleOf(trx, user.id)
    if (before !== 'admin') {
      await writeRole(trx, { userId: user.id, role: 'admin', grantedBy: null, now }, {})
      const facts = { action: 'user.role.set', targetType: 'user', targetId: user.id, targetUserId: user.id }
      await appendAudit(
        trx,
        'auth.audit.recorded.v1',
        { ...facts, before: { role: before }, after: { role: 'admin' }, details: { by: 'command line' } },
        {},
      )
    }
    return created !== undefined
  })
}
