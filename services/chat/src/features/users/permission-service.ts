import type { ChatPermissions } from '@looptide/contracts/http/chat'
import { may } from '@looptide/contracts/permissions'
import { errors } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { slowModeWaitMs } from '../messages/rate-limit.ts'
import { findActiveRestrictions, findRateState } from './user-repository.ts'

/** Finds whether a user may post in a channel, so that clients can show it before the user tries. */
export class PermissionService {
  readonly #db: Kysely<Database>

  constructor(db: Kysely<Database>) {
    this.#db = db
  }

  /** See {@link ChatPermissions}. `not_found` for an unknown channel. */
  async find(user: RequestUser, channelId: string): Promise<ChatPermissions> {
    const [rate, restrictions] = await Promise.all([
      findRateState(this.#db, channelId, user.id),
      findActiveRestrictions(this.#db, user.id),
    ])
    if (rate === null) throw errors.notFound('This channel')
    return {
      restrictions: restrictions.map(({ restrictionType, expiresAt }) => ({
        restrictionType,
        expiresAt: expiresAt?.toISOString() ?? null,
      })),
      waitMs: may(user.role, 'chat:moderate')
        ? 0
        : slowModeWaitMs(rate.bucket, rate.now.getTime(), rate.slowModeS),
    }
  }
}
