import type { Role } from '@looptide/contracts/common'
import type { ChatPage, PostChatBody } from '@looptide/contracts/http/chat'
import { CHAT_PAGE } from '@looptide/contracts/http/chat'
import { appendAudit } from '@looptide/service-kit/audit'
import { AppError, errors } from '@looptide/service-kit/errors'
import { appendEvent, type Cause } from '@looptide/service-kit/outbox'
import type { RequestUser } from '@looptide/service-kit/request-user'
import type { Kysely } from 'kysely'
import type { ChatDb } from '../../db/schema.ts'
import { stateOf } from '../channels/channel-repository.ts'
import type { ProfileDirectory } from '../people/profile-directory.ts'
import { cleanText } from './clean-text.ts'
import { findMessage, listMessages, listRemovedIds, lockChannel, markRemoved } from './message-repository.ts'
import type { MessageWriter, Posted } from './message-writer.ts'
import type { Pauses } from './pauses.ts'
import { presentMessage } from './present-message.ts'

export interface MessageDeps {
  db: Kysely<ChatDb>
  writer: MessageWriter
  profiles: ProfileDirectory
  pauses: Pauses
  roleOf: (userId: string) => Role
}

/** What people say in a channel: reading, writing, taking down. */
export class MessageService {
  readonly #deps: MessageDeps

  constructor(deps: MessageDeps) {
    this.#deps = deps
  }

  /** A page of what stands, oldest first; see {@link ChatPage}. `not_found` for a channel nobody made. */
  async list(
    channelId: string,
    { after, before, limit = CHAT_PAGE }: { after?: number; before?: number; limit?: number },
  ): Promise<ChatPage> {
    const { db, roleOf } = this.#deps
    // The number first: what is committed between the two reads is then on the page or after `lastSeq`.
    const channel = await stateOf(db, channelId)
    if (channel === null) throw errors.notFound('This channel')
    const [rows, removedIds] = await Promise.all([
      listMessages(db, channelId, { after, before, limit }),
      listRemovedIds(db, channelId),
    ])
    const items = rows.map((row) => presentMessage(row, roleOf(row.userId)))
    return { items, ...channel, removedIds }
  }

  /**
   * Says something. The same `clientId` again answers the first message. Refuses with
   * `user_restricted`, `rate_limited` (with `retryAfterMs`) or `not_found`.
   */
  async post(user: RequestUser, channelId: string, body: PostChatBody, cause: Cause): Promise<Posted> {
    const { writer, profiles, pauses } = this.#deps
    const pause = pauses.current(channelId, user.id)
    if (pause !== null) throw new AppError('rate_limited', pause.message, { retryAfterMs: pause.remainingMs })
    await profiles.introduce(user.id)
    try {
      return await writer.post({
        channelId,
        userId: user.id,
        clientId: body.clientId,
        message: cleanText(body.message),
        role: user.role,
        cause,
      })
    } catch (error) {
      if (error instanceof AppError && error.retryAfterMs !== undefined) {
        pauses.begin(channelId, user.id, error.message, error.retryAfterMs)
      }
      throw error
    }
  }

  /** Takes a message down, for good. Doing it twice is doing it once. */
  async remove(user: RequestUser, channelId: string, messageId: string, cause: Cause): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      if ((await lockChannel(trx, channelId)) === null) throw errors.notFound('This channel')
      const row = await findMessage(trx, channelId, messageId)
      if (row === undefined) throw errors.notFound('This message')
      if (row.isDeleted) return
      await markRemoved(trx, messageId, user.id)
      const data = { channelId, messageId, seq: row.seq }
      await appendEvent(trx, 'chat.message.removed.v1', channelId, data, cause)
      await appendAudit(
        trx,
        'chat.audit.recorded.v1',
        {
          action: 'chat_message.remove',
          targetType: 'chat_message',
          targetId: messageId,
          targetUserId: row.userId,
          before: { message: row.message, isDeleted: false },
          after: { isDeleted: true },
          details: { channelId, seq: row.seq },
        },
        cause,
      )
    })
  }
}
