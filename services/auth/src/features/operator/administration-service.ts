import type { AuditAction } from '@looptide/contracts/audit-actions'
import type { Role } from '@looptide/contracts/common'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { Kysely, Transaction } from 'kysely'
import { AccountError } from '../../account-error.ts'
import type { PasswordHasher } from '../../crypto/password-hasher.ts'
import type { Vault } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import { removeAccount } from '../account/delete-account.ts'
import { replaceEmail } from '../account/replace-email.ts'
import { emailExists } from '../account/verification-service.ts'
import * as codeRepository from '../credential/code/code-repository.ts'
import { removeFactor } from '../credential/factor/factor-rules.ts'
import type { BreachedPasswords } from '../credential/password/breached-passwords.ts'
import { requireStrong } from '../credential/password/password-rule.ts'
import { replacePassword } from '../credential/password/replace-password.ts'
import type { SecurityNotices } from '../mail/security-notices.ts'
import type { KeptRestrictions } from '../registration/kept-restrictions.ts'
import type { Registration } from '../registration/registration.ts'
import { anyClientOf } from '../registration/sign-up-client.ts'
import type { SessionService } from '../session/session-service.ts'
import type { RestrictionService } from '../staff/restriction-service.ts'
import type { RoleService } from '../staff/role-service.ts'
import * as factorRepository from '../user/factor-repository.ts'
import type { IdentityRow } from '../user/identity-repository.ts'
import * as identityRepository from '../user/identity-repository.ts'
import { mergeMetadata, requireSmall } from '../user/metadata.ts'
import { presentFactor } from '../user/present-factor.ts'
import { appMetadataOf } from '../user/present-identities.ts'
import { presentUser } from '../user/present-user.ts'
import type { RestrictionRow } from '../user/restriction-repository.ts'
import * as restrictionRepository from '../user/restriction-repository.ts'
import { findRoles } from '../user/role-repository.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import { countUsers, listUserPage, type UserPageQuery } from './user-page-repository.ts'

interface AdministrationDeps {
  db: Kysely<Database>
  vault: Vault
  hasher: PasswordHasher
  breached: BreachedPasswords
  registration: Registration
  sessions: SessionService
  notices: SecurityNotices
  roles: RoleService
  restrictions: RestrictionService
  keptRestrictions: KeptRestrictions
  now: () => number
}

/** A change of an account. Fields that are null are not changed. */
export interface ManagedChange {
  email: string | null
  password: string | null
  /** Whether to confirm the email without a mail. */
  confirmEmail: boolean
  userMetadata: Record<string, unknown>
  /** Keys of `app_metadata` other than those that the station sets. */
  appMetadata: Record<string, unknown>
  role: Role | null
  /** Time from now for which the user is banned from the site, in ms; 0 lifts the ban. */
  banMs: number | null
}

type ManagedUser = Record<string, unknown>

/** The author of changes with the service key, which has the rights of an admin. */
const SERVICE_KEY = { id: null, role: 'admin' } as const

/** Accounts as the holder of the service key manages them. Every change is audited. */
export class AdministrationService {
  readonly #deps: AdministrationDeps

  constructor(deps: AdministrationDeps) {
    this.#deps = deps
  }

  async list(query: UserPageQuery): Promise<{ users: ManagedUser[]; total: number }> {
    const { db } = this.#deps
    const rows = await listUserPage(db, query)
    return { users: await this.#present(rows), total: await countUsers(db, query.filter) }
  }

  /** Errors: `not_found`. */
  async get(id: string): Promise<ManagedUser> {
    const row = await userRepository.byId(this.#deps.db, id)
    if (row === undefined) throw errors.notFound('This user')
    return this.present(row)
  }

  async present(row: UserRow): Promise<ManagedUser> {
    const [user] = await this.#present([row])
    return user ?? {}
  }

  /** Creates an account without mailing anything. Errors: `email_taken`, `weak_password`. */
  async create(change: ManagedChange & { email: string }, cause: Cause): Promise<ManagedUser> {
    const { db, vault, registration, now } = this.#deps
    const { email, confirmEmail } = change
    const userMetadata = requireSmall(change.userMetadata)
    const appMetadata = requireSmall(mergeMetadata({}, change.appMetadata))
    const passwordHash = await this.#hash(change.password)
    const created = await db.transaction().execute(async (trx) => {
      const account = { email, passwordHash, userMetadata, confirmed: confirmEmail, now: new Date(now()) }
      const signUpClient = confirmEmail ? null : anyClientOf(vault, email)
      const user = await registration.create(trx, { ...account, signUpClient }, cause)
      if (user === undefined) throw emailExists()
      await userRepository.update(trx, user.id, { appMetadata: JSON.stringify(appMetadata) })
      await recordManagement(trx, 'user.create', user.id, { emailConfirmed: confirmEmail }, cause)
      await this.#setRoleAndBan(trx, user, change, cause)
      return user
    })
    return this.get(created.id)
  }

  /**
   * Changes an account. A new password ends its sessions; a new email takes effect at once. Errors: `not_found`,
   * `email_taken`, `weak_password`, `conflict` for the role of the last admin.
   */
  async update(id: string, change: ManagedChange, cause: Cause): Promise<ManagedUser> {
    const { db, now } = this.#deps
    const passwordHash = await this.#hash(change.password)
    await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, id)
      if (user === undefined) throw errors.notFound('This user')
      const at = new Date(now())
      const confirmedAt = user.emailConfirmedAt ?? (change.confirmEmail ? at : null)
      if (change.email !== null && change.email !== user.email) {
        await this.#setEmail(trx, user, change.email, confirmedAt, cause)
      }
      if (passwordHash !== null) {
        await replacePassword(trx, this.#deps, { user, passwordHash, ended: 'all' }, cause)
      }
      const userMetadata = JSON.stringify(requireSmall(mergeMetadata(user.userMetadata, change.userMetadata)))
      const appMetadata = JSON.stringify(requireSmall(mergeMetadata(user.appMetadata, change.appMetadata)))
      const row = { userMetadata, appMetadata, emailConfirmedAt: confirmedAt, updatedAt: at }
      const updated = await userRepository.update(trx, id, row)
      await recordManagement(trx, 'user.update', id, { changed: changedParts(change) }, cause)
      await this.#setRoleAndBan(trx, updated, change, cause)
    })
    return this.get(id)
  }

  /** Deletes an account. Errors: `not_found`, `conflict` for the last admin. */
  async delete(id: string, cause: Cause): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, id)
      if (user === undefined) throw errors.notFound('This user')
      await removeAccount(trx, this.#deps, { user, deletesMessages: false }, cause)
      await recordManagement(trx, 'user.delete', id, null, cause)
    })
  }

  /** The factors of an account, the oldest first. Errors: `not_found`. */
  async factors(id: string): Promise<Record<string, unknown>[]> {
    const { db } = this.#deps
    if ((await userRepository.byId(db, id)) === undefined) throw errors.notFound('This user')
    return (await factorRepository.listOf(db, id)).map(presentFactor)
  }

  /**
   * Removes a factor of an account, with its last app the recovery codes too, for a person who has lost them. Errors:
   * `not_found`, `factor_not_found`.
   */
  async removeFactor(id: string, factorId: string, cause: Cause): Promise<Record<string, unknown>> {
    const { db, notices } = this.#deps
    const removed = await db.transaction().execute(async (trx) => {
      const user = await userRepository.lockById(trx, id)
      if (user === undefined) throw errors.notFound('This user')
      const factor = (await factorRepository.listOf(trx, id)).find((one) => one.id === factorId)
      if (factor === undefined) throw new AccountError('factor_not_found', 'Factor not found')
      await removeFactor(trx, this.#deps, { user, factor }, cause)
      await recordManagement(trx, 'user.remove_factor', id, { factorType: factor.factorType }, cause)
      return factor
    })
    notices.wake()
    return presentFactor(removed)
  }

  async #setEmail(
    trx: Transaction<Database>,
    user: UserRow,
    email: string,
    confirmedAt: Date | null,
    cause: Cause,
  ): Promise<void> {
    if ((await userRepository.byEmail(trx, email)) !== undefined) throw emailExists()
    const change = { user, email, confirmedAt, now: new Date(this.#deps.now()) }
    await replaceEmail(trx, this.#deps, change, cause)
    // Their mails went to the former address.
    await codeRepository.clear(trx, user.id)
  }

  async #setRoleAndBan(
    trx: Transaction<Database>,
    user: UserRow,
    { role, banMs }: ManagedChange,
    cause: Cause,
  ): Promise<void> {
    const { roles, restrictions, now } = this.#deps
    if (role !== null) await roles.setIn(trx, user, role, null, cause)
    if (banMs === 0) await restrictions.liftSiteBanIn(trx, user, cause)
    else if (banMs !== null) {
      const expiresAt = new Date(Math.ceil(now() + banMs))
      const ban = { userId: user.id, restrictionType: 'site_banned', reason: BAN_REASON, expiresAt } as const
      await restrictions.addIn(trx, ban, SERVICE_KEY, cause)
    }
  }

  async #hash(password: string | null): Promise<string | null> {
    if (password === null) return null
    await requireStrong(password, this.#deps.breached)
    return this.#deps.hasher.hash(password)
  }

  async #present(rows: readonly UserRow[]): Promise<ManagedUser[]> {
    const { db, now } = this.#deps
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return []
    const roles = await findRoles(db, ids)
    const restrictions = await restrictionRepository.activeOf(db, ids, new Date(now()))
    const bans = restrictions.filter(({ restrictionType }) => restrictionType === 'site_banned')
    const banOf = new Map(bans.map((row) => [row.userId, row]))
    const identities = Map.groupBy(await identityRepository.listOfAll(db, ids), ({ userId }) => userId)
    return rows.map((row) =>
      presentManagedUser(row, identities.get(row.id) ?? [], roles.get(row.id) ?? 'user', banOf.get(row.id)),
    )
  }
}

const BAN_REASON = 'Banned by the operator of the station'

/** The names of the changed fields, for the audit log, which contains no personal data. */
const changedParts = ({
  email,
  password,
  confirmEmail,
  userMetadata,
  appMetadata,
}: ManagedChange): string[] => [
  ...(email === null ? [] : ['email']),
  ...(password === null ? [] : ['password']),
  ...(confirmEmail ? ['email_confirm'] : []),
  ...(Object.keys(userMetadata).length === 0 ? [] : ['user_metadata']),
  ...(Object.keys(appMetadata).length === 0 ? [] : ['app_metadata']),
]

/** Writes the audit entry of what the service key did with an account. */
export const recordManagement = (
  trx: Transaction<Database>,
  action: Extract<AuditAction, `user.${string}`>,
  userId: string,
  after: unknown,
  cause: Cause,
): Promise<void> => {
  const target = { targetType: 'user', targetId: userId, targetUserId: userId }
  return appendAudit(trx, 'auth.audit.recorded.v1', { action, ...target, after }, cause)
}

/** End of a permanent ban: the protocol requires a time. */
const FOREVER = '9999-12-31T23:59:59.000Z'

/** The user object of the admin API: with the station role in `app_metadata`, and the end of a site ban. */
const presentManagedUser = (
  user: UserRow,
  identities: readonly IdentityRow[],
  role: Role,
  ban: RestrictionRow | undefined,
): Record<string, unknown> => ({
  ...presentUser(user, { identities }),
  app_metadata: { ...appMetadataOf(user, identities), role },
  ...(ban === undefined ? {} : { banned_until: ban.expiresAt?.toISOString() ?? FOREVER }),
})
