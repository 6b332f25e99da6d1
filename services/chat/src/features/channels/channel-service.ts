import type { ChatSettings } from '@looptide/contracts/http/chat'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { lockChannel } from '../messages/message-repository.ts'
import { findChannelState, setSlowMode } from './channel-repository.ts'

/** Reads and changes the chat settings of a channel. */
export class ChannelService {
  readonly #db: Kysely<Database>

  constructor(db: Kysely<Database>) {
    this.#db = db
  }

  /** `not_found` for an unknown channel. */
  async findSettings(channelId: string): Promise<ChatSettings> {
    const channel = await findChannelState(this.#db, channelId)
    if (channel === null) throw errors.notFound('This channel')
    return { slowModeS: channel.slowModeS }
  }

  /**
   * Changes the settings and publishes them to the channel's viewers. The lock on the channel keeps the events of two
   * changes in the order of the changes. `not_found` for an unknown channel.
   */
  async update(channelId: string, settings: ChatSettings, cause: Cause): Promise<ChatSettings> {
    return this.#db.transaction().execute(async (trx) => {
      const before = await lockChannel(trx, channelId)
      if (before === null) throw errors.notFound('This channel')
      if (before.slowModeS === settings.slowModeS) return settings
      await setSlowMode(trx, channelId, settings.slowModeS)
      await appendEvent(trx, 'chat.settings.changed.v1', channelId, { channelId, ...settings }, cause)
      await appendAudit(
        trx,
        'chat.audit.recorded.v1',
        {
          action: 'chat_settings.update',
          targetType: 'channel',
          targetId: channelId,
          before: { slowModeS: before.slowModeS },
          after: settings,
        },
        cause,
      )
      return settings
    })
  }
}
