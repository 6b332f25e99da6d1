import type { Envelope } from '@looptide/contracts/events'
import { deleteWithAccount } from '@looptide/service-kit/events/account-deletion'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../db/schema.ts'
import { tables } from '../db/tables.ts'
import { forgetLoads } from '../features/decisions/load-repository.ts'
import { deleteLikesOf } from '../features/likes/like-repository.ts'
import { deletePollVotesOf } from '../features/polls/poll-repository.ts'
import { markQueuesOf } from '../features/queue/queue-repository.ts'
import { deleteWaitingOf, forgetRequester } from '../features/requests/request-repository.ts'
import { markVotesOf } from '../features/requests/vote-repository.ts'
import { projectProfile } from '../features/users/user-repository.ts'

/** Deletes what belongs to a deleted account. Loads of their votes and turns are spread by the next decision. */
export const onUserDeleted = deleteWithAccount<Database, typeof tables>(tables, {
  requests: deleteRequests,
  loads: (trx, { data: { userId } }) => forgetLoads(trx, userId),
  pollVotes: (trx, { data: { userId } }) => deletePollVotesOf(trx, userId),
  likes: (trx, { data: { userId } }) => deleteLikesOf(trx, userId),
  // The row stays without a name, so that an older event cannot restore it.
  profile: (trx, { data: { userId }, aggregateVersion: version }) =>
    projectProfile(trx, { userId, handle: null, registeredAt: null, version }),
})

/**
 * Deletes waiting requests with their votes. Finished ones explain the air log and stay without the user, as do those that
 * will certainly be aired.
 */
async function deleteRequests(
  trx: Transaction<Database>,
  { data: { userId }, correlationId }: Envelope<'auth.user.deleted.v1'>,
): Promise<void> {
  // Before the votes are deleted: `requests` are the first ones in tables.ts.
  await markQueuesOf(trx, userId)
  await markVotesOf(trx, userId)
  const deleted = await deleteWaitingOf(trx, userId)
  await appendEvents(
    trx,
    deleted.map(({ id, channelId }) => ({
      type: 'audience.request.changed.v1',
      aggregateId: channelId,
      data: { channelId, requestId: id, state: 'withdrawn' },
    })),
    { correlationId },
  )
  await forgetRequester(trx, userId)
}
