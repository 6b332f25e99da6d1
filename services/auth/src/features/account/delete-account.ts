import type { DeleteMeBody } from '@looptide/contracts/http/users'
import { appendEvent, appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { PasswordCheck } from '../credential/password/password-check.ts'
import type { SecurityNotices } from '../mail/security-notices.ts'
import type { AccountEmail, KeptRestrictions } from '../registration/kept-restrictions.ts'
import * as sessionRepository from '../session/session-repository.ts'
import type { SessionService } from '../session/session-service.ts'
import type { Client } from '../session/sign-in-history.ts'
import { isAnonymous } from '../user/require-address.ts'
import { lockAdmins } from '../user/role-repository.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import { requireAnother } from '../user/user-role.ts'

/** Maximum age of a session that may delete an account without a password, in ms. */
const FRESH_MS = 600_000

interface RemovalDeps {
  sessions: SessionService
  keptRestrictions: KeptRestrictions
  notices: SecurityNotices
  now: () => number
}

export interface DeleteAccountDeps extends RemovalDeps {
  db: Kysely<Database>
  passwordCheck: PasswordCheck
}

/**
 * Deletes the user's own account. Access to an unlocked device is not enough: the password is required or, for accounts
 * without one, a sign-in within the last ten minutes. Anonymous users can prove nothing more.
 */
export async function deleteAccount(
  deps: DeleteAccountDeps,
  by: RequestUser,
  { password, deleteMessages = false }: DeleteMeBody,
  client: Client,
): Promise<void> {
  const known = await userRepository.byId(deps.db, by.id)
  if (known === undefined) throw errors.notFound('This account')
  await requireProof(deps, { user: known, sessionId: by.sessionId, password }, client)
  await deps.db.transaction().execute(async (trx) => {
    const locked = await userRepository.lockById(trx, by.id)
    if (locked === undefined) throw errors.notFound('This account')
    await removeAccount(trx, deps, { user: locked, deletesMessages: deleteMessages }, client.cause)
  })
}

/**
 * Deletes a locked account with its sessions and data, in the caller's transaction, and its chat messages if
 * `deletesMessages`. Its restrictions are kept, its owner is notified. Errors: `conflict` for the last admin.
 */
export async function removeAccount(
  trx: Transaction<Database>,
  { sessions, keptRestrictions, notices, now }: RemovalDeps,
  { user, deletesMessages }: { user: UserRow; deletesMessages: boolean },
  cause: Cause,
): Promise<void> {
  const { id } = user
  const admins = await lockAdmins(trx)
  if (admins.includes(id)) {
    requireAnother(admins, id)
    await appendEvent(trx, 'auth.role.changed.v1', id, { userId: id, role: 'user' }, cause)
  }
  await sessions.revoke(trx, id, 'all', 'deleted', cause)
  await keptRestrictions.keep(trx, [user], new Date(now()))
  await userRepository.remove(trx, [id])
  await notices.accountDeleted(trx, user)
  await appendEvent(trx, 'auth.user.deleted.v1', id, { userId: id, deletesMessages }, cause)
}

async function requireProof(
  { db, passwordCheck, now }: DeleteAccountDeps,
  { user, sessionId, password }: { user: UserRow; sessionId: string; password: string | undefined },
  client: Client,
): Promise<void> {
  if (user.passwordHash !== null) {
    if (password !== undefined && (await passwordCheck.matches(user, password, { client }))) return
    throw errors.notAllowed('The password is incorrect.')
  }
  // The session is the only proof that an anonymous user has.
  if (isAnonymous(user)) return
  const session = await sessionRepository.byId(db, sessionId)
  if (session !== undefined && now() - session.createdAt.getTime() <= FRESH_MS) return
  throw errors.notAllowed('Please sign in again before you delete your account.')
}

interface DeletionDeps {
  db: Kysely<Database>
  keptRestrictions: KeptRestrictions
  now: () => number
}

/**
 * Deletes the accounts that `lock` returns and locks: those with an email that was never confirmed, or anonymous users
 * who have not used a session for long. Their emails and handles become available; the restrictions of emails are kept.
 */
export async function deleteUnusedAccounts(
  { db, keptRestrictions, now }: DeletionDeps,
  lock: (trx: Transaction<Database>) => Promise<AccountEmail[]>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const users = await lock(trx)
    await keptRestrictions.keep(trx, users, new Date(now()))
    const ids = users.map(({ id }) => id)
    await userRepository.remove(trx, ids)
    await appendEvents(
      trx,
      ids.map((userId) => ({ type: 'auth.user.deleted.v1', aggregateId: userId, data: { userId } })),
    )
  })
}
