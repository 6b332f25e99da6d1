import { AVATAR_MAX_SIDE, type Profile } from '@looptide/contracts/http/users'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import { readPicture } from '@looptide/service-kit/pictures/pictures'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { type AvatarRow, avatarRepository } from '../profiles/avatar-repository.ts'
import { profileRepository } from '../profiles/profile-repository.ts'
import { changeProfile } from '../user-management/change-profile.ts'

/** Profile pictures that users upload. */
export class AvatarService {
  readonly #db: Kysely<Database>
  readonly #now: () => number

  constructor(db: Kysely<Database>, now: () => number) {
    this.#db = db
    this.#now = now
  }

  /**
   * Sets the user's picture. Its URL contains a digest of its bytes, so that clients can cache it forever. Errors:
   * `unsupported_media_type`, `validation_failed` (too many pixels), `user_restricted`.
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

  /** Deletes the user's picture. The user's initial is shown instead. */
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
