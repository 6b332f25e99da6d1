import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import * as codeRepository from '../credential/code/code-repository.ts'
import type { CodeSender } from '../credential/code/code-sender.ts'
import { type MailRequester, OPERATOR } from '../limits/mail-guard.ts'
import * as sessionRepository from '../session/session-repository.ts'
import type { SessionService } from '../session/session-service.ts'
import { requireAddress } from '../user/require-address.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'

/** Number of users whose sessions one transaction ends. */
const USERS_PER_BATCH = 200

/** A demanded mail is never refused, and counts with those that anyone requests for the mailbox. */
const DEMANDED: MailRequester = { ...OPERATOR, ownBudget: undefined }

interface AdministrationDeps {
  db: Kysely<Database>
  sessions: SessionService
  codes: CodeSender
  now: () => number
}

/** Ends sessions and resets passwords of other users, for admins. */
export class SessionAdministration {
  readonly #deps: AdministrationDeps

  constructor(deps: AdministrationDeps) {
    this.#deps = deps
  }

  /** Ends all sessions and personal access tokens of another user. Returns the number of sessions. Errors: `not_found`, `conflict` for the admin's own. */
  async endOf(userId: string, by: string, cause: Cause): Promise<number> {
    if (userId === by) throw errors.conflict('You end your own sessions in your profile.')
    return this.#deps.db.transaction().execute(async (trx) => {
      const user = await lockUser(trx, userId)
      const ended = await this.#deps.sessions.revoke(trx, user.id, 'all', 'ended_by_admin', cause)
      await record(trx, 'user.sessions.end', user.id, { sessions: ended }, cause)
      return ended
    })
  }

  /**
   * Ends the sessions of all users, the admin's own included, that were started until now, and all personal access
   * tokens. Works in batches, each of which takes effect alone. Returns the number of sessions.
   */
  async endAll(cause: Cause): Promise<number> {
    const { db, sessions, now } = this.#deps
    const startedUntil = new Date(now())
    // Recorded first: an interrupted run has ended sessions too.
    await db.transaction().execute((trx) => record(trx, 'user.sessions.end_all', null, null, cause))
    let ended = 0
    let after: string | undefined
    do {
      const userIds = await sessionRepository.usersAfter(db, after, USERS_PER_BATCH)
      await db.transaction().execute(async (trx) => {
        for (const userId of userIds) {
          if ((await userRepository.lockById(trx, userId)) === undefined) continue
          ended += await sessions.revoke(trx, userId, { startedUntil }, 'ended_by_admin', cause)
        }
      })
      after = userIds.at(-1)
    } while (after !== undefined)
    return ended
  }

  /**
   * Requires a new password from another user: the current one no longer signs in, sessions and mailed links end, and the
   * user gets a mail with a link. Errors: `not_found`, `conflict` for the admin's own and for an account without one.
   */
  async requirePasswordReset(userId: string, by: string, cause: Cause): Promise<void> {
    if (userId === by) throw errors.conflict('You change your own password in your profile.')
    const { db, sessions, codes, now } = this.#deps
    await db.transaction().execute(async (trx) => {
      const user = await lockUser(trx, userId)
      if (user.passwordHash === null) throw errors.conflict('This account has no password.')
      const at = new Date(now())
      await userRepository.update(trx, userId, {
        passwordResetRequiredAt: at,
        recoverySentAt: at,
        reauthenticationDigest: null,
        reauthenticationSentAt: null,
      })
      await sessions.revoke(trx, userId, 'all', 'password', cause)
      await codeRepository.clear(trx, userId)
      const email = requireAddress(user)
      await codes.charge(trx, { email, slot: 'recovery', requester: DEMANDED })
      await codes.send(trx, {
        userId,
        slot: 'recovery',
        kind: 'recovery',
        email,
        isDemanded: true,
        isTrusted: true,
        linkOptions: { redirectTo: undefined, challenge: null },
      })
      await record(trx, 'user.password.reset', userId, null, cause)
    })
    codes.wake()
  }
}

async function lockUser(trx: Transaction<Database>, userId: string): Promise<UserRow> {
  const user = await userRepository.lockById(trx, userId)
  if (user === undefined) throw errors.notFound('This user')
  return user
}

const record = (
  trx: Transaction<Database>,
  action: 'user.sessions.end' | 'user.sessions.end_all' | 'user.password.reset',
  userId: string | null,
  after: unknown,
  cause: Cause,
): Promise<void> => {
  const target = { targetType: userId === null ? 'station' : 'user', targetId: userId, targetUserId: userId }
  return appendAudit(trx, 'auth.audit.recorded.v1', { action, ...target, after }, cause)
}
