import { AVATAR_MAX_SIDE, type Profile } from '@looptide/contracts/http/users'
import { errors } from '@looptide/service-kit/errors'
import type { Cause } from '@looptide/service-kit/outbox'
import { readPicture } from '@looptide/service-kit/pictures'
import type { RequestUser } from '@looptide/service-kit/request-user'
import type { Kysely } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'
import { changeProfile } from '../people/change-profile.ts'
import { profileRepository } from '../people/profile-repository.ts'
import { type AvatarRow, avatarRepository } from './avatar-repository.ts'

/** The pictures that people upload of themselves. */
export class AvatarService {
  readonly #db: Kysely<AuthDatabase>
  readonly #now: () => number

  constructor(db: Kysely<AuthDatabase>, now: () => number) {
    this.#db = db
    this.#now = now
  }

  /**
   * Takes a picture for one's profile. Its address carries a digest of its bytes, so that whoever has it need
   * never ask again. Errors: `unsupported_media_type`, `validation_failed` (too many pixels), `user_restricted`.
   */
  put(user: RequestUser, body: unknown, cause: Cause): Promise<Profile> {
    const { type: contentType, version, bytes } = readPicture(body, AVATAR_MAX_SIDE)
    const now = new Date(this.#now())
    return changeProfile(this.#db, { userId: user.id, now, cause }, async (trx) => {
      await avatarRepository.put(trx, {
        userId: user.id,
        version,
        contentType,
        bytes,
        createdAt: now,
      })
      const avatarUrl = `/api/profiles/${user.id}/avatar/${version}`
      return profileRepository.update(trx, user.id, { avatarUrl, updatedAt: now })
    })
  }

  /** Goes back to the initial that stands for people without a picture. */
  remove(user: RequestUser, cause: Cause): Promise<Profile> {
    const now = new Date(this.#now())
    return changeProfile(this.#db, { userId: user.id, now, cause }, async (trx) => {
      await avatarRepository.delete(trx, user.id)
      return profileRepository.update(trx, user.id, { avatarUrl: null, updatedAt: now })
    })
  }

  async read(userId: string, version: string): Promise<Pick<AvatarRow, 'contentType' | 'bytes'>> {
    const avatar = await avatarRepository.find(this.#db, userId, version)
    if (avatar === undefined) throw errors.notFound('This picture')
    return avatar
  }
}
