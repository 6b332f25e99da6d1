import type { Role } from '@looptide/contracts/common'
import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { postPollResult } from '../features/messages/poll-result.ts'

/** Keeps the result of a poll in the chat of its channel. */
export const onPollClosed =
  (roleOf: (userId: string) => Role) =>
  (trx: Transaction<Database>, envelope: Envelope<'audience.poll.closed.v1'>): Promise<void> =>
    postPollResult(trx, envelope, roleOf(envelope.data.askedBy))
