import type { AdminUser, EmailChange, Me, Profile, UpdateProfileBody } from '@looptide/contracts/http/people'
import { AppError, errors } from '@looptide/service-kit/errors'
import type { Cause } from '@looptide/service-kit/outbox'
import type { RequestUser } from '@looptide/service-kit/request-user'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import type { AuthDatabase } from '../../db/schema.ts'
import { type UserRow, userRepository } from '../accounts/user-repository.ts'
import { avatarRepository } from '../avatars/avatar-repository.ts'
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
/** Handles that would let somebody pass for the house. */
const RESERVED = /^(admin|administrator|moderator|mod|support|staff|system|looptide)_*\d*$/i

/** Profiles, and what people and admins see of accounts. */
export class PeopleService {
  readonly #db: Kysely<AuthDatabase>
  readonly #now: () => number
  readonly #otpTtlS: number

  constructor(db: Kysely<AuthDatabase>, now: () => number, otpTtlS: number) {
    this.#db = db
    this.#now = now
    this.#otpTtlS = otpTtlS
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
  async isHandleFree(handle: string, user: RequestUser): Promise<boolean> {
    if (isReserved(handle, user)) return false
    const holder = await profileRepository.byHandle(this.#db, handle)
    return holder === undefined || holder.userId === user.id
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

  /** One's own public profile; who is `restricted` may not change it. A picture that is replaced is gone. */
  async updateProfile(
    user: RequestUser,
    change: Static<typeof UpdateProfileBody>,
    cause: Cause,
  ): Promise<Profile> {
    if (change.handle !== undefined && isReserved(change.handle, user)) throw handleTaken()
    const now = new Date(this.#now())
    return changeProfile(this.#db, { userId: user.id, now, cause }, async (trx) => {
      if (change.avatarUrl !== undefined) await avatarRepository.delete(trx, user.id)
      return profileRepository
        .update(trx, user.id, { ...tidy(change), updatedAt: now })
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
  return { newEmail: user.newEmail, agreed: user.emailChangeAgreed, expiresAt: expiresAt.toISOString() }
}

const isReserved = (handle: string, user: RequestUser): boolean =>
  user.role !== 'admin' && RESERVED.test(handle)

export const presentPerson = (row: PersonRow, restrictions: readonly RestrictionRow[]): AdminUser => ({
  id: row.userId,
  email: row.email,
  role: row.role ?? 'user',
  profile: presentProfile(row),
  restrictions: restrictions.filter((one) => one.userId === row.userId).map(presentRestriction),
  createdAt: row.userCreatedAt.toISOString(),
})

const handleTaken = (): AppError => new AppError('handle_taken', 'This handle is taken.')

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION

/** An artist name of nothing but space is none. */
function tidy(change: Static<typeof UpdateProfileBody>): Static<typeof UpdateProfileBody> {
  if (typeof change.artistName !== 'string') return change
  const artistName = change.artistName.trim()
  return { ...change, artistName: artistName === '' ? null : artistName }
}
