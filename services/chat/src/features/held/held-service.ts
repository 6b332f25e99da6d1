import type { Role } from '@looptide/contracts/common'
import type {
  DecideHeldBody,
  ListHeldQuery,
  WaitingMessage,
  WaitingMessagePage,
} from '@looptide/contracts/http/held-messages'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { errors } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { insertMessages, lockChannel } from '../messages/message-repository.ts'
import { presentMessage } from '../messages/present-message.ts'
import {
  countWaitingHeld,
  type HeldRow,
  listHeld,
  lockHeld,
  presentHeld,
  setHeldState,
} from './held-repository.ts'

const PAGE_SIZE = 50
const MAX_COUNT = 100

const present = (row: HeldRow & { authorHandle: string | null }): WaitingMessage => ({
  ...presentHeld(row),
  authorId: row.userId,
  authorHandle: row.authorHandle,
  reason: row.reason,
})

/** Messages that wait for a moderator. Their own ones do not exist for moderators: others decide. */
export class HeldService {
  readonly #db: Kysely<Database>
  readonly #roleOf: (userId: string) => Role

  constructor(db: Kysely<Database>, roleOf: (userId: string) => Role) {
    this.#db = db
    this.#roleOf = roleOf
  }

  /** A page of waiting messages, with their number. Errors: `invalid_cursor`. */
  async list(by: Pick<RequestUser, 'id'>, { cursor }: ListHeldQuery): Promise<WaitingMessagePage> {
    const after = cursor === undefined ? undefined : decodeCursor(cursor, ['string'])[0]
    const [rows, waiting] = await Promise.all([
      listHeld(this.#db, { exceptAuthor: by.id, after, limit: PAGE_SIZE + 1 }),
      countWaitingHeld(this.#db, by.id, MAX_COUNT),
    ])
    return { ...toPage(rows, PAGE_SIZE, present, ({ id }) => [id]), waiting }
  }

  /**
   * Posts or rejects a message. It is posted with the time of the decision, as the channel's next one. Throws `not_found`,
   * also after its channel was deleted, and `conflict` if it is decided.
   */
  async decide(
    by: Pick<RequestUser, 'id'>,
    id: string,
    { decision }: DecideHeldBody,
    cause: Cause,
  ): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const row = await lockHeld(trx, id)
      if (row === undefined || row.userId === by.id) throw errors.notFound('This message')
      if (row.state !== 'waiting') throw errors.conflict('Another moderator has decided this meanwhile.')
      const { channelId, userId: authorId, message, reason } = row
      const state = decision === 'post' ? 'posted' : 'rejected'
      if (state === 'posted') await this.#post(trx, row, cause)
      await setHeldState(trx, id, state)
      const data = { heldId: id, channelId, authorId, state } as const
      await appendEvent(trx, 'chat.held.changed.v1', id, data, cause)
      await appendAudit(
        trx,
        'chat.audit.recorded.v1',
        {
          action: 'chat_held.decide',
          targetType: 'chat_message',
          targetId: id,
          targetUserId: authorId,
          before: { message },
          after: { decision },
          details: { channelId, reason },
        },
        cause,
      )
    })
  }

  async #post(
    trx: Transaction<Database>,
    held: HeldRow & { handle: string | null; artistName: string | null },
    cause: Cause,
  ): Promise<void> {
    const { channelId, userId, clientId, message, handle, artistName } = held
    const channel = await lockChannel(trx, channelId)
    if (channel === null) throw errors.notFound('This channel')
    const createdAt = new Date()
    const row = {
      id: newId(createdAt.getTime()),
      channelId,
      seq: channel.lastSeq + 1,
      userId,
      message,
      createdAt,
    }
    await insertMessages(trx, channelId, { createdAt, lastSeq: row.seq, messages: [{ ...row, clientId }] })
    const posted = presentMessage({ ...row, handle, artistName }, this.#roleOf(userId))
    await appendEvent(trx, 'chat.message.posted.v1', channelId, { message: posted }, cause)
  }
}
