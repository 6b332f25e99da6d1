import { MAX_COUNTED_REQUESTS } from '@looptide/contracts/events/audience'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { dayOf } from '../networks/network-keys.ts'
import { countVotes, takeChangedVotes } from './vote-repository.ts'

/** Interval at which changed votes are counted, in ms: with the way to the viewers, a vote is seen within a second. */
const PUBLISH_INTERVAL_MS = 800

interface PublisherDeps {
  db: Kysely<Database>
  now: () => number
}

/** Counts and publishes the votes of requests that have changed. Several replicas may run it at the same time. */
export const votePublisher = ({ logger, ...deps }: PublisherDeps & { logger: Logger }): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: PUBLISH_INTERVAL_MS,
    atStart: true,
    failure: 'votes not published',
    run: (signal) => publishVotes(deps, signal),
  })

/** One run of {@link votePublisher}: numbers are taken and written to the outbox in one transaction. */
export async function publishVotes({ db, now }: PublisherDeps, signal?: AbortSignal): Promise<void> {
  for (let taken = MAX_COUNTED_REQUESTS; taken === MAX_COUNTED_REQUESTS && !signal?.aborted; ) {
    taken = await db.transaction().execute(async (trx) => {
      const requests = await takeChangedVotes(trx, MAX_COUNTED_REQUESTS)
      const ids = requests.map(({ id }) => id)
      const counts = await countVotes(trx, ids, { userId: null, day: dayOf(now()) })
      const votesOf = new Map(counts.map(({ requestId, votes }) => [requestId, votes]))
      await appendEvents(
        trx,
        [...Map.groupBy(requests, ({ channelId }) => channelId)].map(([channelId, group]) => ({
          type: 'audience.votes.changed.v1',
          aggregateId: channelId,
          data: { channelId, votes: Object.fromEntries(group.map(({ id }) => [id, votesOf.get(id) ?? 0])) },
        })),
      )
      return requests.length
    })
  }
}
