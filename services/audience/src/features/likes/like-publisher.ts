import { MAX_VIDEOS_PER_EVENT } from '@looptide/contracts/events/catalogue'
import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { takeChanged } from './like-repository.ts'

/** Interval at which changed numbers of likes are published, in ms. */
const PUBLISH_INTERVAL_MS = 5_000

interface PublisherDeps {
  db: Kysely<Database>
  now: () => number
}

/** Publishes the numbers of likes that have changed, every 5 s. Several replicas may run it at the same time. */
export const likePublisher = ({ logger, ...deps }: PublisherDeps & { logger: Logger }): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: PUBLISH_INTERVAL_MS,
    atStart: true,
    failure: 'numbers of likes not published',
    run: (signal) => publishLikes(deps, signal),
  })

/** One run of {@link likePublisher}: each number is taken and written to the outbox in one transaction. */
export async function publishLikes({ db, now }: PublisherDeps, signal?: AbortSignal): Promise<void> {
  for (let published = MAX_VIDEOS_PER_EVENT; published === MAX_VIDEOS_PER_EVENT && !signal?.aborted; ) {
    published = await db.transaction().execute(async (trx) => {
      const videos = await takeChanged(trx, MAX_VIDEOS_PER_EVENT, now())
      const [first] = videos
      if (first !== undefined) {
        await appendEvents(trx, [
          { type: 'audience.likes.changed.v1', aggregateId: first.videoId, data: { videos } },
        ])
      }
      return videos.length
    })
  }
}
