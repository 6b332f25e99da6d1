import type { ChatPermissions } from '@looptide/contracts/http/chat'
import { may } from '@looptide/contracts/permissions'
import { errors } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { heldOf, presentHeld } from '../held/held-repository.ts'
import { type NewAccountRules, slowModeWaitMs } from '../messages/rate-limit.ts'
import { hasStood } from '../messages/sender-repository.ts'
import { findActiveRestrictions, findRateState } from './user-repository.ts'

/** Finds whether a user may post in a channel, so that clients can show it before the user tries. */
export class PermissionService {
  readonly #db: Kysely<Database>
  readonly #newAccounts: NewAccountRules

  constructor(db: Kysely<Database>, newAccounts: NewAccountRules) {
    this.#db = db
    this.#newAccounts = newAccounts
  }

  /** See {@link ChatPermissions}. `not_found` for an unknown channel. */
  async find(user: RequestUser, channelId: string): Promise<ChatPermissions> {
    const [rate, restrictions, held] = await Promise.all([
      findRateState(this.#db, channelId, user.id),
      findActiveRestrictions(this.#db, user.id),
      heldOf(this.#db, channelId, user.id),
    ])
    if (rate === null) throw errors.notFound('This channel')
    const isModerator = may(user.role, 'chat:moderate')
    const isNew = !isModerator && !rate.isEstablished && !(await hasStood(this.#db, user.id))
    const newAccountSlowModeS = isNew ? this.#newAccounts.slowModeS : 0
    const slowModeS = Math.max(rate.slowModeS, newAccountSlowModeS)
    return {
      restrictions: restrictions.map(({ restrictionType, expiresAt }) => ({
        restrictionType,
        expiresAt: expiresAt?.toISOString() ?? null,
      })),
      waitMs: isModerator ? 0 : slowModeWaitMs(rate.bucket, rate.now.getTime(), slowModeS),
      newAccountSlowModeS,
      held: held.map(presentHeld),
    }
  }
}
