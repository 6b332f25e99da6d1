import type { ChatSettings } from '@looptide/contracts/http/chat'
import { appendAudit } from '@looptide/service-kit/audit'
import { errors } from '@looptide/service-kit/errors'
import { appendEvent, type Cause } from '@looptide/service-kit/outbox'
import type { Kysely } from 'kysely'
import type { ChatDb } from '../../db/schema.ts'
import { lockChannel } from '../messages/message-repository.ts'
import { setSlowMode, stateOf } from './channel-repository.ts'

/** How a channel's chat is kept. */
export class ChannelService {
  readonly #db: Kysely<ChatDb>

  constructor(db: Kysely<ChatDb>) {
    this.#db = db
  }

  /** `not_found` for a channel nobody made. */
  async settings(channelId: string): Promise<ChatSettings> {
    const channel = await stateOf(this.#db, channelId)
    if (channel === null) throw errors.notFound('This channel')
    return { slowModeS: channel.slowModeS }
  }

  /** Everybody in the channel is told at once. The channel's lock puts two changes and their news in one order. */
  async update(channelId: string, wanted: ChatSettings, cause: Cause): Promise<ChatSettings> {
    return this.#db.transaction().execute(async (trx) => {
      const before = await lockChannel(trx, channelId)
      if (before === null) throw errors.notFound('This channel')
      if (before.slowModeS === wanted.slowModeS) return wanted
      await setSlowMode(trx, channelId, wanted.slowModeS)
      await appendEvent(trx, 'chat.settings.changed.v1', channelId, { channelId, ...wanted }, cause)
      await appendAudit(
        trx,
        'chat.audit.recorded.v1',
        {
          action: 'chat_settings.update',
          targetType: 'channel',
          targetId: channelId,
          before: { slowModeS: before.slowModeS },
          after: wanted,
        },
        cause,
      )
      return wanted
    })
  }
}
