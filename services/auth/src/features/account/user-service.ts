import type { AdminUser, EmailChange, Me, Profile, UpdateProfileBody } from '@looptide/contracts/http/users'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import type { AuthConfig } from '../../config.ts'
import type { Database } from '../../db/schema.ts'
import { codeLifetimeS } from '../credential/code/code-lifetime.ts'
import * as avatarRepository from '../profile/avatar-repository.ts'
import { changeProfile } from '../profile/change-profile.ts'
import { handleTaken, type NameRules } from '../profile/name-rules.ts'
import { presentProfile } from '../profile/new-profile.ts'
import * as profileRepository from '../profile/profile-repository.ts'
import * as restrictionRepository from '../user/restriction-repository.ts'
import { presentRestriction, type RestrictionRow } from '../user/restriction-repository.ts'
import type { UserRow } from '../user/user-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import {
  findAdminUser,
  listAdminUsers,
  listProfiles,
  type ProfileQuery,
  type UserProfileRow,
} from './profile-search-repository.ts'

const UNIQUE_VIOLATION = '23505'

interface UserServiceDeps {
  db: Kysely<Database>
  now: () => number
  otpTtlS: number
  names: NameRules
  adminWelcomeHandle: string
  secondFactor: AuthConfig['secondFactor']
}

/** Reads and changes profiles, and reads the accounts of users for themselves and for admins. */
export class UserService {
  readonly #db: Kysely<Database>
  readonly #now: () => number
  readonly #otpTtlS: number
  readonly #names: NameRules
  readonly #welcomeHandle: string
  readonly #secondFactor: AuthConfig['secondFactor']

  constructor(deps: UserServiceDeps) {
    this.#db = deps.db
    this.#now = deps.now
    this.#otpTtlS = deps.otpTtlS
    this.#names = deps.names
    this.#secondFactor = deps.secondFactor
    this.#welcomeHandle = deps.adminWelcomeHandle.toLowerCase()
  }

  #factorNotice({ role, lacksFactor, aal }: RequestUser): Me['secondFactor'] {
    if (lacksFactor) return 'required'
    return this.#secondFactor === 'recommended' && role !== 'user' && aal === 'aal1' ? 'recommended' : null
  }

  async me(user: RequestUser): Promise<Me> {
    const [row, account, restrictions] = await Promise.all([
      findAdminUser(this.#db, user.id),
      userRepository.byId(this.#db, user.id),
      this.#restrictionsOf([user.id]),
    ])
    if (row === undefined || account === undefined)
      throw errors.unauthorized('Your session has ended. Please sign in again.')
    return {
      id: user.id,
      email: row.email,
      role: user.role,
      isAdmin: user.role === 'admin',
      hasWelcomeToast: user.role === 'admin' && row.handle?.toLowerCase() === this.#welcomeHandle,
      profile: presentProfile(row),
      restrictions: restrictions.map((row) => row.restrictionType),
      activeRestrictions: restrictions.map(({ restrictionType, reason, expiresAt }) => ({
        restrictionType,
        reason,
        expiresAt: expiresAt?.toISOString() ?? null,
      })),
      hasPassword: account.passwordHash !== null,
      emailChange: await this.#emailChange(account),
      secondFactor: this.#factorNotice(user),
    }
  }

  /** The pending email change of a user. */
  async #emailChange({
    id,
    newEmail,
    emailChangeSentAt,
    emailChangeAgreed,
  }: UserRow): Promise<EmailChange | null> {
    if (newEmail === null || emailChangeSentAt === null) return null
    const validS = await codeLifetimeS(this.#db, { userId: id, slot: 'email_change_new' }, this.#otpTtlS)
    const expiresAt = new Date(emailChangeSentAt.getTime() + validS * 1000)
    return { newEmail, confirmedBy: emailChangeAgreed, expiresAt: expiresAt.toISOString() }
  }

  async profile(userId: string): Promise<Profile> {
    const row = await profileRepository.byId(this.#db, userId)
    if (row === undefined) throw errors.notFound('This profile')
    return presentProfile(row)
  }

  async profileByHandle(handle: string): Promise<Profile> {
    const row = await profileRepository.byHandle(this.#db, handle)
    if (row === undefined) throw errors.notFound('This profile')
    return presentProfile(row)
  }

  /** Whether `user` may take this handle. */
  isHandleFree(handle: string, user: RequestUser): Promise<boolean> {
    return this.#names.isHandleAvailable(this.#db, handle, user)
  }

  profiles(query: ProfileQuery): ReturnType<typeof listProfiles> {
    return listProfiles(this.#db, query)
  }

  async adminUser(userId: string): Promise<AdminUser> {
    const row = await findAdminUser(this.#db, userId)
    if (row === undefined) throw errors.notFound('This user')
    return presentAdminUser(row, await this.#restrictionsOf([userId]))
  }

  async adminUsers(query: ProfileQuery): Promise<{ rows: UserProfileRow[]; restrictions: RestrictionRow[] }> {
    const rows = await listAdminUsers(this.#db, query)
    return { rows, restrictions: await this.#restrictionsOf(rows.map((row) => row.userId)) }
  }

  #restrictionsOf(userIds: readonly string[]): Promise<RestrictionRow[]> {
    return restrictionRepository.activeOf(this.#db, userIds, new Date(this.#now()))
  }

  /**
   * Changes the user's own profile; a replaced picture is deleted. Errors: `user_restricted`, `handle_taken`,
   * `validation_failed` with the path `/artistName` for a name that is reserved or misleading. Unchanged names are not
   * checked.
   */
  async updateProfile(
    user: RequestUser,
    change: Static<typeof UpdateProfileBody>,
    cause: Cause,
  ): Promise<Profile> {
    const now = new Date(this.#now())
    return changeProfile(this.#db, { userId: user.id, now, cause }, async (trx) => {
      if (change.avatarUrl !== undefined) await avatarRepository.remove(trx, user.id)
      return profileRepository
        .update(trx, user.id, { ...(await this.#names.check(trx, change, user)), updatedAt: now })
        .catch((error: unknown) => {
          throw isUniqueViolation(error) ? handleTaken() : error
        })
    })
  }
}

/** A user as admins see it. A user without a row of roles has the role `user`. */
export const presentAdminUser = (
  row: UserProfileRow,
  restrictions: readonly RestrictionRow[],
): AdminUser => ({
  id: row.userId,
  email: row.email,
  role: row.role ?? 'user',
  profile: presentProfile(row),
  restrictions: restrictions.filter(({ userId }) => userId === row.userId).map(presentRestriction),
  createdAt: row.userCreatedAt.toISOString(),
})

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION
