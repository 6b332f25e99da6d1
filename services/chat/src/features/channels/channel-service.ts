import type { ChatSettings } from '@looptide/contracts/http/chat'
import { appendAudit } from '@looptide/service-kit/audit'
import { errors } from '@looptide/service-kit/errors'
import type { Cause } from '@looptide/service-kit/outbox'
import type { Kysely } from 'kysely'
import type { ChatDb } from '../../db/schema.ts'
import { setSlowMode, slowModeOf } from './channel-repository.ts'

/** How a channel's chat is kept. */
export class ChannelService {
  readonly #db: Kysely<ChatDb>

  constructor(db: Kysely<ChatDb>) {
    this.#db = db
  }

  /** `not_found` for a channel nobody made. */
  async settings(channelId: string): Promise<ChatSettings> {
    const slowModeS = await slowModeOf(this.#db, channelId)
    if (slowModeS === null) throw errors.notFound('This channel')
    return { slowModeS }
  }

  async update(channelId: string, wanted: ChatSettings, cause: Cause): Promise<ChatSettings> {
    return this.#db.transaction().execute(async (trx) => {
      const before = await slowModeOf(trx, channelId)
      if (before === null) throw errors.notFound('This channel')
      if (before === wanted.slowModeS) return wanted
      await setSlowMode(trx, channelId, wanted.slowModeS)
      await appendAudit(
        trx,
        'chat.audit.recorded.v1',
        {
          action: 'chat_settings.update',
          targetType: 'channel',
          targetId: channelId,
          before: { slowModeS: before },
          after: wanted,
        },
        cause,
      )
      return wanted
    })
  }
}
