import type { UpdateProfileBody } from '@looptide/contracts/http/users'
import { may } from '@looptide/contracts/permissions'
import type { Db } from '@looptide/service-kit/db/db'
import { AppError } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { Static } from 'typebox'
import type { Database } from '../../db/schema.ts'
import { cleanName, compactKey, type NamePolicy, nameError } from '../names/name-policy.ts'
import * as profileRepository from './profile-repository.ts'

/** More users with a role than any station has. */
const MAX_STAFF = 1000

type ProfileChange = Static<typeof UpdateProfileBody>

/** Checks the names in a profile change against the policy and against the names of other users. */
export class NameRules {
  readonly #policy: NamePolicy

  constructor(policy: NamePolicy) {
    this.#policy = policy
  }

  /**
   * Returns the change as it will be stored. Errors: `handle_taken` for a handle that is reserved or that equals or
   * resembles another user's; `validation_failed` for such a display name. Unchanged names are not checked.
   */
  async check(db: Db<Database>, change: ProfileChange, user: RequestUser): Promise<ProfileChange> {
    const { handle, artistName, ...rest } = change
    const current = await profileRepository.byId(db, user.id)
    const checked: ProfileChange = rest
    if (handle !== undefined && handle !== current?.handle) {
      if (!(await this.isHandleAvailable(db, handle, user))) throw handleTaken()
      checked.handle = handle
    }
    if (artistName !== undefined && artistName !== current?.artistName) {
      checked.artistName = artistName === null ? null : await this.#displayName(db, artistName, user)
    }
    return checked
  }

  /** Whether `user` may take this handle. Their own handle is available. */
  async isHandleAvailable(db: Db<Database>, handle: string, user: RequestUser): Promise<boolean> {
    if (await this.#isImpersonation(db, handle, user)) return false
    return (await profileRepository.findLookAlike(db, handle, user.id)) === undefined
  }

  async #displayName(db: Db<Database>, text: string, user: RequestUser): Promise<string | null> {
    const name = cleanName(text)
    if (name === null) return null
    if (await this.#isImpersonation(db, name, user)) {
      throw nameError('This name is reserved. Please choose another one.')
    }
    if ((await profileRepository.findLookAlike(db, name, user.id)) !== undefined) {
      throw nameError('This name looks like the handle of another user. Please choose another one.')
    }
    return name
  }

  /** Whether this is the name of the station, of a role, or of a user with a role. Admins may use all of them. */
  async #isImpersonation(db: Db<Database>, name: string, user: RequestUser): Promise<boolean> {
    if (may(user.role, 'users:manage')) return false
    if (this.#policy.isReserved(name)) return true
    const staff = await profileRepository.staffNames(db, user.id, MAX_STAFF)
    const key = compactKey(name)
    return staff.some((taken) => compactKey(taken) === key)
  }
}

/** The refusal of a handle that another profile has, or that looks like one. */
export const handleTaken = (): AppError => new AppError('handle_taken', 'This handle is taken.')
