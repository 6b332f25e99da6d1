import type { AuditAction } from '@looptide/contracts/audit-actions'
import type { RestrictionType, Role } from '@looptide/contracts/common'
import { appendAudit } from '@looptide/service-kit/audit'
import { AppError, errors } from '@looptide/service-kit/errors'
import { newId } from '@looptide/service-kit/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/outbox'
import type { RequestUser } from '@looptide/service-kit/request-user'
import type { Kysely, Transaction } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'
import { userRepository } from '../accounts/user-repository.ts'
import { profileRepository } from '../people/profile-repository.ts'
import type { SessionService } from '../sessions/session-service.ts'
import type { KeptRestrictions } from './kept-restrictions.ts'
import { presentRestriction, type RestrictionRow, restrictionRepository } from './restriction-repository.ts'
import { requirePower, requireRank, requireReach } from './restriction-rules.ts'

interface RestrictionDeps {
  db: Kysely<AuthDatabase>
  sessions: SessionService
  kept: KeptRestrictions
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

/** What people may not do, decided by admins and, for the chat and for a time, by moderators. */
export class RestrictionService {
  readonly #deps: RestrictionDeps

  constructor(deps: RestrictionDeps) {
    this.#deps = deps
  }

  /**
   * One of a type per person: a new one replaces the one before. Throws `already_exists` when that is not the one that
   * `replaces` names. A site ban ends all sessions at once.
   */
  async add(request: NewRestriction, by: RequestUser, cause: Cause): Promise<RestrictionRow> {
    const now = new Date(this.#deps.now())
    if (request.userId === by.id) throw errors.conflict('You cannot restrict yourself.')
    if (request.expiresAt !== null && !(request.expiresAt > now)) {
      throw errors.validation('The end must be in the future.')
    }
    requirePower(by.role, request.restrictionType, request.expiresAt, now)
    return this.#deps.db.transaction().execute(async (trx) => {
      // The person's row is locked before anything of theirs is looked at, as every sign-in does.
      const user = await userRepository.lockById(trx, request.userId)
      if (user === undefined) throw errors.notFound('This person')
      await requireRank(trx, by.role, request.userId)
      const before = await restrictionRepository.ofType(trx, request.userId, request.restrictionType)
      if (before !== undefined) {
        await this.#replace(trx, before, request, by.role, now, cause)
        await this.#deps.kept.forget(trx, user.email, before)
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
      await tellRestricted(trx, row, before, cause)
      if (request.restrictionType === 'site_banned') {
        await this.#deps.sessions.revoke(trx, request.userId, 'all', 'banned', cause)
      }
      return row
    })
  }

  async #replace(
    trx: Transaction<AuthDatabase>,
    before: RestrictionRow,
    request: NewRestriction,
    role: Role,
    now: Date,
    cause: Cause,
  ): Promise<void> {
    const inForce = before.expiresAt === null || before.expiresAt > now
    const shortened =
      request.expiresAt !== null && (before.expiresAt === null || before.expiresAt > request.expiresAt)
    if (role !== 'admin' && inForce && shortened) {
      throw errors.conflict('A longer restriction is in force.')
    }
    if (inForce) {
      await requireReach(trx, role, before)
      if (request.replaces !== undefined && request.replaces !== before.id)
        throw await alreadyInForce(trx, before)
    }
    await restrictionRepository.delete(trx, before.id)
    await appendEvent(trx, 'auth.user.unrestricted.v1', before.userId, factsOf(before), cause)
  }

  /** Restores what the restriction took. */
  async remove(userId: string, id: string, by: RequestUser, cause: Cause): Promise<void> {
    const now = new Date(this.#deps.now())
    await this.#deps.db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, userId)
      const row = await restrictionRepository.byId(trx, userId, id)
      if (user === undefined || row === undefined) throw errors.notFound('This restriction')
      if (userId === by.id) throw errors.forbidden('You cannot lift a restriction on yourself.')
      requirePower(by.role, row.restrictionType, row.expiresAt, now)
      await requireReach(trx, by.role, row)
      await restrictionRepository.delete(trx, id)
      await this.#deps.kept.forget(trx, user.email, row)
      await appendEvent(trx, 'auth.user.unrestricted.v1', userId, factsOf(row), cause)
      await appendAudit(
        trx,
        'auth.audit.recorded.v1',
        { ...auditOf('user.restriction.remove', row), before: presentRestriction(row) },
        cause,
      )
    })
  }
}

const IN_FORCE: Record<RestrictionType, string> = {
  chat_banned: 'A ban from the chat',
  site_banned: 'A ban from the site',
  restricted: 'A restriction',
}

/** Names the restriction in force: what, by whom, until when and why. Its id is in the details. */
async function alreadyInForce(trx: Transaction<AuthDatabase>, row: RestrictionRow): Promise<AppError> {
  const author = row.createdBy === null ? undefined : await profileRepository.byId(trx, row.createdBy)
  const by = author?.handle ? ` by ${author.handle}` : ''
  const until =
    row.expiresAt === null
      ? 'with no end'
      : `until ${row.expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const message = `${IN_FORCE[row.restrictionType]}${by} is in force ${until}: ${row.reason}`
  return new AppError('already_exists', message, { details: [{ path: '/replaces', message: row.id }] })
}

/** Ends restrictions whose time is over, at most `limit`; answers how many. */
export async function endExpiredRestrictions(
  db: Kysely<AuthDatabase>,
  now: Date,
  limit: number,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const rows = await restrictionRepository.lockExpired(trx, now, limit)
    for (const row of rows) {
      await restrictionRepository.delete(trx, row.id)
      await appendEvent(trx, 'auth.user.unrestricted.v1', row.userId, factsOf(row))
    }
    return rows.length
  })
}

const factsOf = (row: RestrictionRow) => ({
  userId: row.userId,
  restrictionId: row.id,
  restrictionType: row.restrictionType,
})

const auditOf = (action: AuditAction, row: RestrictionRow) => ({
  action,
  targetType: 'user_restriction',
  targetId: row.id,
  targetUserId: row.userId,
})

async function tellRestricted(
  trx: Transaction<AuthDatabase>,
  row: RestrictionRow,
  before: RestrictionRow | undefined,
  cause: Cause,
): Promise<void> {
  const expiresAt = row.expiresAt?.toISOString() ?? null
  const facts = { ...factsOf(row), reason: row.reason, expiresAt }
  await appendEvent(trx, 'auth.user.restricted.v1', row.userId, facts, cause)
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
