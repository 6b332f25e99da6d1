import type { Role } from '@looptide/contracts/common'
import type { Envelope } from '@looptide/contracts/events'
import { CHAT_MESSAGE_MAX } from '@looptide/contracts/http/chat'
import type { Poll } from '@looptide/contracts/http/polls'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvent } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { lockChannel } from './message-repository.ts'
import { insertPollResult, isKnownChannel } from './poll-result-repository.ts'
import { presentMessage } from './present-message.ts'
import { findSenders } from './sender-repository.ts'

/**
 * Posts the result of a poll as a message of the person who has asked, whose role is `role`. No limit of messages applies to
 * it. Nothing happens if the channel was deleted meanwhile. Throws for one whose creation the chat has not received yet, so that
 * the event is tried again.
 */
export async function postPollResult(
  trx: Transaction<Database>,
  { id: clientId, correlationId, data: { poll, askedBy } }: Envelope<'audience.poll.closed.v1'>,
  role: Role,
): Promise<void> {
  const { channelId } = poll
  const channel = await lockChannel(trx, channelId)
  if (channel === null) {
    if (await isKnownChannel(trx, channelId)) return
    throw new Error(`channel ${channelId} is not known yet`)
  }
  const { now, senders } = await findSenders(trx, channelId, [{ userId: askedBy, clientId }])
  const { id: pollId, airingId, question, answers, votes, askedAt } = poll
  const message = {
    ...{ id: newId(now.getTime()), channelId, userId: askedBy, seq: channel.lastSeq + 1, createdAt: now },
    message: resultText(poll),
    poll: { id: pollId, airingId, question, answers, votes, askedAt },
  }
  await insertPollResult(trx, { ...message, clientId })
  const names = { handle: senders[0]?.handle ?? null, artistName: senders[0]?.artistName ?? null }
  await appendEvent(
    trx,
    'chat.message.posted.v1',
    channelId,
    { message: presentMessage({ ...message, ...names }, role) },
    { actorId: askedBy, correlationId },
  )
}

/** What clients show that do not know polls. */
const resultText = ({ question, answers }: Poll): string =>
  `${question} ${answers.map(({ text, votes }) => `${text}: ${votes}`).join(', ')}`.slice(0, CHAT_MESSAGE_MAX)
