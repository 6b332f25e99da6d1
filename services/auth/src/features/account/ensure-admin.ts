import { appendAudit } from '@looptide/service-kit/audit/audit'
import { beginFirstStep } from '@looptide/service-kit/db/first-start'
import type { Kysely, Transaction } from 'kysely'
import type { PasswordHasher } from '../../crypto/password-hasher.ts'
import type { Database } from '../../db/schema.ts'
import * as codeRepository from '../credential/code/code-repository.ts'
import type { BreachedPasswords } from '../credential/password/breached-passwords.ts'
import { requireStrong } from '../credential/password/password-rule.ts'
import { createAccount } from '../registration/create-account.ts'
import { readEmail } from '../user/email.ts'
import { roleOf } from '../user/role-repository.ts'
import type { SignUpData } from '../user/sign-up-data.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import { writeRole } from '../user/user-role.ts'

interface Admin {
  email: string
  password: string
}

/** What {@link ensureAdmin} did. */
interface EnsuredAdmin {
  /** Whether the account is new. */
  created: boolean
  /** Whether the account has the given password now. */
  passwordSet: boolean
}

interface EnsureAdminDeps {
  db: Kysely<Database>
  hasher: PasswordHasher
  breached: Pick<BreachedPasswords, 'include'>
}

/**
 * Makes sure that an admin with this email exists. A confirmed account keeps its password and gets the role. An
 * unconfirmed account, which anyone may have signed up, gets the given password. Errors: `weak_password` of a password that
 * would be set.
 *
 * @param onlyFirst do nothing if this database has had an admin before, such as in a backup
 */
export async function ensureAdmin(
  { db, hasher, breached }: EnsureAdminDeps,
  admin: Admin,
  onlyFirst = false,
): Promise<EnsuredAdmin> {
  const email = readEmail(admin.email)
  const known = await userRepository.byEmail(db, email)
  // Only a password that will be set is checked: one that was breached later must not prevent a start.
  if (known === undefined || known.emailConfirmedAt === null) await requireStrong(admin.password, breached)
  const passwordHash = await hasher.hash(admin.password)
  return db.transaction().execute(async (trx) => {
    const isFirst = await beginFirstStep(trx, 'first-admin')
    if (onlyFirst && !isFirst) return { created: false, passwordSet: false }
    const now = new Date()
    const userMetadata = { full_name: 'Admin' }
    // The first admin has the handle that `ADMIN_WELCOME_HANDLE` names by default.
    const handle = { handleStem: 'admin', isStemTried: isFirst }
    const account = { email, passwordHash, userMetadata, ...handle, confirmed: true, now }
    const created = await createAccount(trx, account, {})
    const user = created ?? (await userRepository.lockByEmail(trx, email))
    if (user === undefined) throw new Error('the account was deleted concurrently; try again')
    const isReplaced = user.emailConfirmedAt === null
    if (isReplaced) await replaceSignUp(trx, user, { passwordHash, userMetadata }, now)
    const before = await roleOf(trx, user.id)
    if (before !== 'admin') {
      await writeRole(trx, { userId: user.id, role: 'admin', grantedBy: null, now }, {})
      const target = {
        action: 'user.role.set',
        targetType: 'user',
        targetId: user.id,
        targetUserId: user.id,
      } as const
      await appendAudit(
        trx,
        'auth.audit.recorded.v1',
        { ...target, before: { role: before }, after: { role: 'admin' } },
        { by: 'command line' },
      )
    }
    const isCreated = created !== undefined
    return { created: isCreated, passwordSet: isCreated || isReplaced }
  })
}

/** Replaces the password of an unconfirmed sign-up and invalidates its links. Such an account has no sessions. */
async function replaceSignUp(
  trx: Transaction<Database>,
  user: UserRow,
  { passwordHash, userMetadata }: Omit<SignUpData, 'signUpClient'>,
  now: Date,
): Promise<void> {
  await codeRepository.clear(trx, user.id)
  await userRepository.update(trx, user.id, {
    passwordHash,
    userMetadata: JSON.stringify(userMetadata),
    contested: false,
    emailConfirmedAt: now,
    updatedAt: now,
  })
}
