import type { Profile } from '@looptide/contracts/http/users'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { PictureUploads } from '@looptide/service-kit/pictures/picture-uploads'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { AvatarRow } from './avatar-repository.ts'
import * as avatarRepository from './avatar-repository.ts'
import { changeProfile } from './change-profile.ts'
import * as profileRepository from './profile-repository.ts'

/** Profile pictures that users upload. */
export class AvatarService {
  readonly #db: Kysely<Database>
  readonly #uploads: PictureUploads<Database>
  readonly #now: () => number

  constructor(db: Kysely<Database>, uploads: PictureUploads<Database>, now: () => number) {
    this.#db = db
    this.#uploads = uploads
    this.#now = now
  }

  /**
   * Sets the user's picture. Its URL contains a digest of its bytes, so that clients can cache it forever. Errors:
   * those of {@link PictureUploads.read}, `user_restricted`.
   */
  async put(user: RequestUser, body: unknown, cause: Cause): Promise<Profile> {
    const { type: contentType, version, bytes } = await this.#uploads.read(body, cause)
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
      await avatarRepository.remove(trx, user.id)
      return profileRepository.update(trx, user.id, { avatarUrl: null, updatedAt: now })
    })
  }

  async read(userId: string, version: string): Promise<Pick<AvatarRow, 'contentType' | 'bytes'>> {
    const avatar = await avatarRepository.find(this.#db, userId, version)
    if (avatar === undefined) throw errors.notFound('This picture')
    return avatar
  }
}
