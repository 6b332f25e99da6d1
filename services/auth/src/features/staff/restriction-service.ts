import type { AuditAction } from '@looptide/contracts/audit-actions'
import type { RestrictionType, Role } from '@looptide/contracts/common'
import { may } from '@looptide/contracts/permissions'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import * as profileRepository from '../profile/profile-repository.ts'
import type { AccountEmail, KeptRestrictions } from '../registration/kept-restrictions.ts'
import type { SessionService } from '../session/session-service.ts'
import * as restrictionRepository from '../user/restriction-repository.ts'
import { presentRestriction, type RestrictionRow } from '../user/restriction-repository.ts'
import { roleOf } from '../user/role-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import { requireMayOverride, requireMayRestrict, requireMayRestrictUser } from './restriction-rules.ts'

interface RestrictionDeps {
  db: Kysely<Database>
  sessions: SessionService
  keptRestrictions: KeptRestrictions
  now: () => number
}

export interface NewRestriction {
  userId: string
  restrictionType: RestrictionType
  reason: string
  expiresAt: Date | null
  /** See `AddRestrictionBody.replaces`. */
  replaces?: string | null | undefined
}

/** Who sets or lifts a restriction. The service key has no id. */
type Author = { id: string | null } & Pick<RequestUser, 'role'>

/** Sets and lifts restrictions of users: by admins and, limited to time-outs of the chat, by moderators. */
export class RestrictionService {
  readonly #deps: RestrictionDeps

  constructor(deps: RestrictionDeps) {
    this.#deps = deps
  }

  /**
   * Sets a restriction. A user has one of each type: a new one replaces the former. A site ban ends all sessions at once.
   * Errors: `already_exists` when the one in force is not the one that `replaces` names.
   */
  add(request: NewRestriction, by: RequestUser, cause: Cause): Promise<RestrictionRow> {
    return this.#deps.db.transaction().execute((trx) => this.addIn(trx, request, by, cause))
  }

  /** Like {@link add}, in the caller's transaction. */
  async addIn(
    trx: Transaction<Database>,
    request: NewRestriction,
    by: Author,
    cause: Cause,
  ): Promise<RestrictionRow> {
    const now = new Date(this.#deps.now())
    if (request.userId === by.id) throw errors.conflict('You cannot restrict yourself.')
    if (request.expiresAt !== null && !(request.expiresAt > now)) {
      throw errors.validation('The end must be in the future.')
    }
    requireMayRestrict(by.role, request.restrictionType, request.expiresAt, now)
    // Lock the user's row before reading anything of the user. Every sign-in does the same.
    const user = await userRepository.lockById(trx, request.userId)
    if (user === undefined) throw errors.notFound('This user')
    await requireMayRestrictUser(trx, by.role, request.userId)
    const before = await restrictionRepository.ofType(trx, request.userId, request.restrictionType)
    if (before !== undefined) {
      await this.#replace(trx, before, request, by.role, now, cause)
      await this.#deps.keptRestrictions.forget(trx, user.email, before)
    }
    const { replaces: _replaces, ...terms } = request
    const row: RestrictionRow = {
      ...terms,
      id: newId(now.getTime()),
      reason: request.reason.trim(),
      createdBy: by.id,
      createdByRole: by.role,
      createdAt: now,
    }
    await restrictionRepository.insert(trx, row)
    await publishRestricted(trx, row, before, cause)
    if (request.restrictionType === 'site_banned') {
      await this.#deps.sessions.revoke(trx, request.userId, 'all', 'banned', cause)
    }
    return row
  }

  async #replace(
    trx: Transaction<Database>,
    before: RestrictionRow,
    request: NewRestriction,
    role: Role,
    now: Date,
    cause: Cause,
  ): Promise<void> {
    const inForce = before.expiresAt === null || before.expiresAt > now
    const shortened =
      request.expiresAt !== null && (before.expiresAt === null || before.expiresAt > request.expiresAt)
    if (!may(role, 'users:manage') && inForce && shortened) {
      throw errors.conflict('A longer restriction is in force.')
    }
    if (inForce) {
      await requireMayOverride(trx, role, before)
      if (request.replaces !== undefined && request.replaces !== before.id)
        throw await alreadyInForce(trx, before)
    }
    await restrictionRepository.remove(trx, before.id)
    await appendEvent(trx, 'auth.user.unrestricted.v1', before.userId, eventDataOf(before), cause)
  }

  /** Lifts a restriction. */
  async remove(userId: string, id: string, by: RequestUser, cause: Cause): Promise<void> {
    const now = new Date(this.#deps.now())
    await this.#deps.db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, userId)
      const row = await restrictionRepository.byId(trx, userId, id)
      if (user === undefined || row === undefined) throw errors.notFound('This restriction')
      if (userId === by.id) throw errors.forbidden('You cannot remove a restriction on yourself.')
      requireMayRestrict(by.role, row.restrictionType, row.expiresAt, now)
      await requireMayOverride(trx, by.role, row)
      await this.#lift(trx, user.email, row, cause)
    })
  }

  /**
   * Times out the author of a chat message, as moderators have decided in a case, in the caller's transaction. The case is
   * recorded in the audit log, not its time-out. Does nothing if the account is gone, or is banned from the chat already.
   */
  async timeOutIn(
    trx: Transaction<Database>,
    { caseId, userId, expiresAt, by }: { caseId: string; userId: string; expiresAt: Date; by: string | null },
    cause: Cause,
  ): Promise<void> {
    const now = new Date(this.#deps.now())
    const user = await userRepository.lockById(trx, userId)
    const before = await restrictionRepository.ofType(trx, userId, 'chat_banned')
    const isBanned = before !== undefined && (before.expiresAt === null || before.expiresAt > now)
    if (user === undefined || isBanned || expiresAt <= now) return
    if (before !== undefined) await this.#end(trx, user.email, before, cause)
    const row: RestrictionRow = {
      ...{ id: caseId, userId, restrictionType: 'chat_banned', expiresAt, createdAt: now },
      reason: 'Timed out from chat by moderator',
      createdBy: by,
      createdByRole: by === null ? null : await roleOf(trx, by),
    }
    await restrictionRepository.insert(trx, row)
    await appendEvent(trx, 'auth.user.restricted.v1', userId, restrictedData(row), cause)
  }

  /** Ends the time-out of a case whose decision was reversed, in the caller's transaction, unless it has ended or was replaced. */
  async endTimeOutIn(
    trx: Transaction<Database>,
    { caseId, userId }: { caseId: string; userId: string },
    cause: Cause,
  ): Promise<void> {
    const user = await userRepository.lockById(trx, userId)
    const row = await restrictionRepository.byId(trx, userId, caseId)
    if (user !== undefined && row !== undefined) await this.#end(trx, user.email, row, cause)
  }

  /** Lifts the site ban of a locked user, if there is one, in the caller's transaction. */
  async liftSiteBanIn(trx: Transaction<Database>, user: AccountEmail, cause: Cause): Promise<void> {
    const row = await restrictionRepository.ofType(trx, user.id, 'site_banned')
    if (row !== undefined) await this.#lift(trx, user.email, row, cause)
  }

  async #lift(
    trx: Transaction<Database>,
    email: string | null,
    row: RestrictionRow,
    cause: Cause,
  ): Promise<void> {
    await this.#end(trx, email, row, cause)
    await appendAudit(
      trx,
      'auth.audit.recorded.v1',
      { ...auditOf('user.restriction.remove', row), before: presentRestriction(row) },
      cause,
    )
  }

  async #end(
    trx: Transaction<Database>,
    email: string | null,
    row: RestrictionRow,
    cause: Cause,
  ): Promise<void> {
    await restrictionRepository.remove(trx, row.id)
    await this.#deps.keptRestrictions.forget(trx, email, row)
    await appendEvent(trx, 'auth.user.unrestricted.v1', row.userId, eventDataOf(row), cause)
  }
}

const IN_FORCE: Record<RestrictionType, string> = {
  chat_banned: 'A ban from the chat',
  site_banned: 'A ban from the site',
  restricted: 'A restriction',
}

/** The error that describes the restriction in force: type, author, end and reason. The details contain its id. */
async function alreadyInForce(trx: Transaction<Database>, row: RestrictionRow): Promise<AppError> {
  const author = row.createdBy === null ? undefined : await profileRepository.byId(trx, row.createdBy)
  const by = author?.handle ? ` by ${author.handle}` : ''
  const until =
    row.expiresAt === null
      ? 'with no end'
      : `until ${row.expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const message = `${IN_FORCE[row.restrictionType]}${by} is in force ${until}: ${row.reason}`
  return new AppError('already_exists', message, { details: [{ path: '/replaces', message: row.id }] })
}

/** Ends at most `limit` expired restrictions. Returns their number. */
export async function endExpiredRestrictions(
  db: Kysely<Database>,
  now: Date,
  limit: number,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const rows = await restrictionRepository.lockExpired(trx, now, limit)
    for (const row of rows) {
      await restrictionRepository.remove(trx, row.id)
      await appendEvent(trx, 'auth.user.unrestricted.v1', row.userId, eventDataOf(row))
    }
    return rows.length
  })
}

const eventDataOf = (row: RestrictionRow) => ({
  userId: row.userId,
  restrictionId: row.id,
  restrictionType: row.restrictionType,
})

const restrictedData = (row: RestrictionRow) => ({
  ...eventDataOf(row),
  reason: row.reason,
  expiresAt: row.expiresAt?.toISOString() ?? null,
})

const auditOf = (action: AuditAction, row: RestrictionRow) => ({
  action,
  targetType: 'user_restriction',
  targetId: row.id,
  targetUserId: row.userId,
})

async function publishRestricted(
  trx: Transaction<Database>,
  row: RestrictionRow,
  before: RestrictionRow | undefined,
  cause: Cause,
): Promise<void> {
  await appendEvent(trx, 'auth.user.restricted.v1', row.userId, restrictedData(row), cause)
  await appendAudit(
    trx,
    'auth.audit.recorded.v1',
    {
      ...auditOf('user.restriction.add', row),
      before: before === undefined ? null : presentRestriction(before),
      after: presentRestriction(row),
    },
    cause,
  )
}
