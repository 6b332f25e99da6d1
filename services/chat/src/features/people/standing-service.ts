import type { ChatPermissions } from '@looptide/contracts/http/chat'
import { errors } from '@looptide/service-kit/errors'
import type { RequestUser } from '@looptide/service-kit/request-user'
import type { Kysely } from 'kysely'
import type { ChatDb } from '../../db/schema.ts'
import { slowModeWaitMs } from '../messages/rate-rule.ts'
import { paceOf, restrictionsOf } from './people-repository.ts'

/** Whether somebody may write in a channel, asked before they try. */
export class StandingService {
  readonly #db: Kysely<ChatDb>

  constructor(db: Kysely<ChatDb>) {
    this.#db = db
  }

  /** See {@link ChatPermissions}. `not_found` for a channel nobody made. */
  async of(user: RequestUser, channelId: string): Promise<ChatPermissions> {
    const [pace, restrictions] = await Promise.all([
      paceOf(this.#db, channelId, user.id),
      restrictionsOf(this.#db, user.id),
    ])
    if (pace === null) throw errors.notFound('This channel')
    return {
      restrictions: restrictions.map(({ restrictionType, expiresAt }) => ({
        restrictionType,
        expiresAt: expiresAt?.toISOString() ?? null,
      })),
      waitMs: user.role === 'user' ? slowModeWaitMs(pace.bucket, pace.now.getTime(), pace.slowModeS) : 0,
    }
  }
}
