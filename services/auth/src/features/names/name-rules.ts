import type { UpdateProfileBody } from '@looptide/contracts/http/users'
import type { Db } from '@looptide/service-kit/db'
import { AppError } from '@looptide/service-kit/errors'
import type { RequestUser } from '@looptide/service-kit/request-user'
import type { Static } from 'typebox'
import type { AuthDatabase } from '../../db/schema.ts'
import { profileRepository } from '../people/profile-repository.ts'
import { cleanName, type NamePolicy, nameFault, squeeze } from './name-policy.ts'

/** More moderators and admins than a station has. */
const MAX_STAFF = 1000

type ProfileChange = Static<typeof UpdateProfileBody>

/** Checks the names of a changed profile against the policy and against the names of others. */
export class NameRules {
  readonly #policy: NamePolicy

  constructor(policy: NamePolicy) {
    this.#policy = policy
  }

  /**
   * The change as it is to be stored. Errors: `handle_taken` for a handle that is reserved, belongs to another person
   * or looks like theirs; `validation_failed` for such a display name. Names that stay as they are pass.
   */
  async check(db: Db<AuthDatabase>, change: ProfileChange, user: RequestUser): Promise<ProfileChange> {
    const { handle, artistName, ...rest } = change
    const present = await profileRepository.byId(db, user.id)
    const checked: ProfileChange = rest
    if (handle !== undefined && handle !== present?.handle) {
      if (!(await this.mayHaveHandle(db, handle, user))) throw handleTaken()
      checked.handle = handle
    }
    if (artistName !== undefined && artistName !== present?.artistName) {
      checked.artistName = artistName === null ? null : await this.#displayName(db, artistName, user)
    }
    return checked
  }

  /** May `user` take this handle? Their own is free for themself. */
  async mayHaveHandle(db: Db<AuthDatabase>, handle: string, user: RequestUser): Promise<boolean> {
    if (await this.#isPretended(db, handle, user)) return false
    return (await profileRepository.looksLike(db, handle, user.id)) === undefined
  }

  async #displayName(db: Db<AuthDatabase>, text: string, user: RequestUser): Promise<string | null> {
    const name = cleanName(text)
    if (name === null) return null
    if (await this.#isPretended(db, name, user)) {
      throw nameFault('This name is reserved. Please choose another one.')
    }
    if ((await profileRepository.looksLike(db, name, user.id)) !== undefined) {
      throw nameFault('This name looks like the handle of another person. Please choose another one.')
    }
    return name
  }

  /** Is it the station's name, that of a role, or that of a moderator or admin? Admins may use the first two. */
  async #isPretended(db: Db<AuthDatabase>, name: string, user: RequestUser): Promise<boolean> {
    if (user.role === 'admin') return false
    if (this.#policy.isReserved(name)) return true
    const staff = await profileRepository.staffNames(db, user.id, MAX_STAFF)
    const key = squeeze(name)
    return staff.some((taken) => squeeze(taken) === key)
  }
}

export const handleTaken = (): AppError => new AppError('handle_taken', 'This handle is taken.')
