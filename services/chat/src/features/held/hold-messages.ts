import { type HeldMessage, MAX_HELD_PER_ACCOUNT } from '@looptide/contracts/http/chat'
import { type HeldReason, MAX_HELD_PER_CHANNEL } from '@looptide/contracts/http/held-messages'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import { AppError } from '@looptide/service-kit/http/errors'
import type { Insertable, Transaction } from 'kysely'
import type { Database, HeldMessagesTable } from '../../db/schema.ts'
import { countHeld, insertHeld, presentHeld } from './held-repository.ts'

/** A message that a moderator has to see before it is posted. */
export interface ToHold {
  userId: string
  clientId: string
  message: string
  reason: HeldReason
  cause: Cause
}

/**
 * Stores messages of a channel for its moderators, and returns what their senders get, in the same order: `message_refused`
 * above {@link MAX_HELD_PER_ACCOUNT} and {@link MAX_HELD_PER_CHANNEL}. The channel's row is locked, so that the limits are exact.
 */
export async function holdMessages(
  trx: Transaction<Database>,
  channelId: string,
  now: Date,
  messages: readonly ToHold[],
): Promise<(HeldMessage | AppError)[]> {
  if (messages.length === 0) return []
  const userIds = [...new Set(messages.map(({ userId }) => userId))]
  const counts = await countHeld(trx, channelId, userIds)
  let { ofChannel } = counts
  const ofUser = new Map(counts.ofUser)
  const rows: (Insertable<HeldMessagesTable> & { cause: Cause })[] = []
  const results = messages.map(({ userId, clientId, message, reason, cause }) => {
    const own = ofUser.get(userId) ?? 0
    if (own >= MAX_HELD_PER_ACCOUNT || ofChannel >= MAX_HELD_PER_CHANNEL)
      return new AppError('message_refused', 'Too many messages are waiting for a moderator.')
    ofUser.set(userId, own + 1)
    ofChannel += 1
    const row = {
      ...{ id: newId(now.getTime()), channelId, userId, clientId, message, reason },
      ...{ state: 'waiting' as const, heldAt: now },
    }
    rows.push({ ...row, cause })
    return presentHeld(row)
  })
  if (rows.length === 0) return results
  await insertHeld(
    trx,
    rows.map(({ cause: _cause, ...row }) => row),
  )
  await appendEvents(
    trx,
    rows.map(({ id, userId: authorId, cause }) => ({
      type: 'chat.held.changed.v1',
      aggregateId: id,
      data: { heldId: id, channelId, authorId, state: 'waiting' },
      cause,
    })),
  )
  return results
}
