import type { AdminUser, EmailChange, Me, Profile, UpdateProfileBody } from '@looptide/contracts/http/users'
import { errors } from '@looptide/service-kit/errors'
import type { Cause } from '@looptide/service-kit/outbox'
import type { RequestUser } from '@looptide/service-kit/request-user'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import type { AuthDatabase } from '../../db/schema.ts'
import { type UserRow, userRepository } from '../accounts/user-repository.ts'
import { avatarRepository } from '../avatars/avatar-repository.ts'
import { handleTaken, type NameRules } from '../names/name-rules.ts'
import {
  presentRestriction,
  type RestrictionRow,
  restrictionRepository,
} from '../restrictions/restriction-repository.ts'
import { changeProfile } from './change-profile.ts'
import { presentProfile } from './new-profile.ts'
import { profileRepository } from './profile-repository.ts'
import { listPeople, listProfiles, type PersonRow, type ProfileQuery, personById } from './profile-search.ts'

const UNIQUE_VIOLATION = '23505'

interface PeopleDeps {
  db: Kysely<AuthDatabase>
  now: () => number
  otpTtlS: number
  names: NameRules
  adminWelcomeHandle: string
}

/** Profiles, and what people and admins see of accounts. */
export class PeopleService {
  readonly #db: Kysely<AuthDatabase>
  readonly #now: () => number
  readonly #otpTtlS: number
  readonly #names: NameRules
  readonly #welcomeHandle: string

  constructor(deps: PeopleDeps) {
    this.#db = deps.db
    this.#now = deps.now
    this.#otpTtlS = deps.otpTtlS
    this.#names = deps.names
    this.#welcomeHandle = deps.adminWelcomeHandle.toLowerCase()
  }

  async me(user: RequestUser): Promise<Me> {
    const [person, account, restrictions] = await Promise.all([
      personById(this.#db, user.id),
      userRepository.byId(this.#db, user.id),
      this.#restrictionsOf([user.id]),
    ])
    if (person === undefined || account === undefined)
      throw errors.unauthorized('Your session has ended. Please sign in again.')
    return {
      id: user.id,
      email: person.email,
      role: user.role,
      isAdmin: user.role === 'admin',
      hasWelcomeToast: user.role === 'admin' && person.handle?.toLowerCase() === this.#welcomeHandle,
      profile: presentProfile(person),
      restrictions: restrictions.map((row) => row.restrictionType),
      activeRestrictions: restrictions.map(({ restrictionType, reason, expiresAt }) => ({
        restrictionType,
        reason,
        expiresAt: expiresAt?.toISOString() ?? null,
      })),
      hasPassword: account.passwordHash !== null,
      emailChange: presentEmailChange(account, this.#otpTtlS),
    }
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

  /** May `user` take this handle? */
  isHandleFree(handle: string, user: RequestUser): Promise<boolean> {
    return this.#names.mayHaveHandle(this.#db, handle, user)
  }

  profiles(query: ProfileQuery): ReturnType<typeof listProfiles> {
    return listProfiles(this.#db, query)
  }

  async person(userId: string): Promise<AdminUser> {
    const row = await personById(this.#db, userId)
    if (row === undefined) throw errors.notFound('This person')
    return presentPerson(row, await this.#restrictionsOf([userId]))
  }

  async people(query: ProfileQuery): Promise<{ rows: PersonRow[]; restrictions: RestrictionRow[] }> {
    const rows = await listPeople(this.#db, query)
    return { rows, restrictions: await this.#restrictionsOf(rows.map((row) => row.userId)) }
  }

  #restrictionsOf(userIds: readonly string[]): Promise<RestrictionRow[]> {
    return restrictionRepository.activeOf(this.#db, userIds, new Date(this.#now()))
  }

  /**
   * One's own public profile; who is `restricted` may not change it. A picture that is replaced is gone. Errors:
   * `handle_taken`, `validation_failed` with the path `/artistName` for a name that could deceive. A name that stays
   * as it is passes, whatever today's rules say of it.
   */
  async updateProfile(
    user: RequestUser,
    change: Static<typeof UpdateProfileBody>,
    cause: Cause,
  ): Promise<Profile> {
    const now = new Date(this.#now())
    return changeProfile(this.#db, { userId: user.id, now, cause }, async (trx) => {
      if (change.avatarUrl !== undefined) await avatarRepository.delete(trx, user.id)
      return profileRepository
        .update(trx, user.id, { ...(await this.#names.check(trx, change, user)), updatedAt: now })
        .catch((error: unknown) => {
          throw isUniqueViolation(error) ? handleTaken() : error
        })
    })
  }
}

/** A pending change of address, as its owner sees it; its links are good for `otpTtlS` seconds. */
function presentEmailChange(user: UserRow, otpTtlS: number): EmailChange | null {
  if (user.newEmail === null || user.emailChangeSentAt === null) return null
  const expiresAt = new Date(user.emailChangeSentAt.getTime() + otpTtlS * 1000)
  return { newEmail: user.newEmail, confirmedBy: user.emailChangeAgreed, expiresAt: expiresAt.toISOString() }
}

export const presentPerson = (row: PersonRow, restrictions: readonly RestrictionRow[]): AdminUser => ({
  id: row.userId,
  email: row.email,
  role: row.role ?? 'user',
  profile: presentProfile(row),
  restrictions: restrictions.filter((one) => one.userId === row.userId).map(presentRestriction),
  createdAt: row.userCreatedAt.toISOString(),
})

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION
