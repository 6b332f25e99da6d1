import type { Role } from '@looptide/contracts/common'
import type { ChatCountBody, ChatListQuery, ChatPage, PostChatBody } from '@looptide/contracts/http/chat'
import { CHAT_PAGE } from '@looptide/contracts/http/chat'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../../db/schema.ts'
import { findChannelState } from '../channels/channel-repository.ts'
import type { ProfileLoader } from '../users/profile-loader.ts'
import type { PostedMessage } from './message-batch.ts'
import { countMessages } from './message-count-repository.ts'
import { findMessage, listMessages, listRemovedIds, lockChannel, markRemoved } from './message-repository.ts'
import type { MessageWriter } from './message-writer.ts'
import { presentMessage } from './present-message.ts'
import type { RefusalCache } from './refusal-cache.ts'

const instantOf = (atMs: number | undefined): Date | undefined =>
  atMs === undefined ? undefined : new Date(atMs)

const EMPTY_LINES = /\n(?:[^\S\n]*\n){2,}/g

export interface MessageDeps {
  db: Kysely<Database>
  writer: MessageWriter
  profiles: ProfileLoader
  refusals: RefusalCache
  roleOf: (userId: string) => Role
}

/** Lists, posts and removes the messages of a channel. */
export class MessageService {
  readonly #deps: MessageDeps

  constructor(deps: MessageDeps) {
    this.#deps = deps
  }

  /** A page of visible messages, oldest first; see {@link ChatPage}. `not_found` for an unknown channel. */
  async list(
    channelId: string,
    { fromMs, toMs, limit = CHAT_PAGE, ...bySeq }: Static<typeof ChatListQuery>,
  ): Promise<ChatPage> {
    const { db, roleOf } = this.#deps
    // `lastSeq` is read first: a message committed between the two reads is on the page or after `lastSeq`.
    const channel = await findChannelState(db, channelId)
    if (channel === null) throw errors.notFound('This channel')
    const [rows, removedIds] = await Promise.all([
      listMessages(db, channelId, { ...bySeq, from: instantOf(fromMs), to: instantOf(toMs), limit }),
      listRemovedIds(db, channelId),
    ])
    const items = rows.map((row) => presentMessage(row, roleOf(row.userId)))
    return { items, ...channel, removedIds }
  }

  /** How many visible messages were posted in each of these ranges of time. */
  count({ ranges }: ChatCountBody): Promise<number[]> {
    return countMessages(this.#deps.db, ranges)
  }

  /**
   * Posts a message, with at most one empty line in a row. For a repeated `clientId`, returns the message stored first.
   * Throws `user_restricted`, `message_refused`, `rate_limited` (with `retryAfterMs`) or `not_found`.
   */
  async post(user: RequestUser, channelId: string, body: PostChatBody, cause: Cause): Promise<PostedMessage> {
    const { writer, profiles, refusals } = this.#deps
    const refusal = refusals.find(channelId, user.id)
    if (refusal !== null) {
      throw new AppError('rate_limited', refusal.message, { retryAfterMs: refusal.retryAfterMs })
    }
    await profiles.ensureProfile(user.id)
    try {
      return await writer.post({
        channelId,
        userId: user.id,
        clientId: body.clientId,
        message: body.message.replace(EMPTY_LINES, '\n\n'),
        role: user.role,
        cause,
      })
    } catch (error) {
      if (error instanceof AppError && error.retryAfterMs !== undefined) {
        refusals.add(channelId, user.id, error.message, error.retryAfterMs)
      }
      throw error
    }
  }

  /** Removes a message permanently. Idempotent. `not_found` for an unknown channel or message. */
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
