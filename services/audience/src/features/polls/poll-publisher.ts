import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { dayOf } from '../networks/network-keys.ts'
import {
  countAnswers,
  deleteMarks,
  findChangedPolls,
  findDuePolls,
  lockPoll,
  type PollRow,
  saveCounts,
} from './poll-repository.ts'
import { presentPoll } from './present-poll.ts'

/** Interval at which votes are counted, in ms: with the way to the viewers, a vote is seen within a second. */
const PUBLISH_INTERVAL_MS = 800

interface PublisherDeps {
  db: Kysely<Database>
  logger: Logger
  now: () => number
}

/**
 * Counts and publishes the votes of open polls that have changed, and closes polls whose time is over, also those whose time
 * was over while the service did not run. Several replicas may run it at the same time.
 */
export const pollPublisher = (deps: PublisherDeps): PeriodicTask =>
  new PeriodicTask({
    logger: deps.logger,
    everyMs: PUBLISH_INTERVAL_MS,
    atStart: true,
    failure: 'polls not published',
    run: (signal) => publishPolls(deps, signal),
  })

/** One run of {@link pollPublisher}. A poll that fails is logged, and tried again by the next run. */
export async function publishPolls({ db, logger, now }: PublisherDeps, signal?: AbortSignal): Promise<void> {
  const inTransaction = async (
    ids: readonly string[],
    work: (trx: Transaction<Database>, id: string) => unknown,
  ) => {
    for (const pollId of ids) {
      if (signal?.aborted === true) return
      await db
        .transaction()
        .execute(async (trx) => work(trx, pollId))
        .catch((error: unknown) => logger.warn({ err: error, pollId }, 'poll not published'))
    }
  }
  await inTransaction(await findDuePolls(db, new Date(now())), (trx, id) => closePoll(trx, id, { now }))
  await inTransaction(await findChangedPolls(db), (trx, id) => publishCounts(trx, id, now()))
}

async function publishCounts(trx: Transaction<Database>, id: string, nowMs: number): Promise<void> {
  const poll = await lockPoll(trx, id, 'count')
  if (poll === undefined || poll.closedAt !== null) return
  const counted = await count(trx, poll, { closedAt: null, nowMs })
  await appendEvent(trx, 'audience.poll.changed.v1', poll.channelId, { poll: presentPoll(counted) })
}

/**
 * Counts the votes of a poll for the last time and publishes the result, unless it is closed already: then null. Its time
 * is over at the latest when it said so.
 */
export async function closePoll(
  trx: Transaction<Database>,
  id: string,
  { now, cause }: { now: () => number; cause?: Cause },
): Promise<PollRow | null> {
  const poll = await lockPoll(trx, id, 'close')
  if (poll === undefined || poll.closedAt !== null) return null
  // After the lock, for which votes may have been waited.
  const nowMs = now()
  const closedAt = new Date(Math.min(nowMs, poll.closesAt.getTime()))
  const closed = await count(trx, poll, { closedAt, nowMs })
  const data = { poll: presentPoll(closed), askedBy: poll.askedBy }
  await appendEvent(trx, 'audience.poll.closed.v1', poll.channelId, data, cause)
  return closed
}

async function count(
  trx: Transaction<Database>,
  poll: PollRow,
  { closedAt, nowMs }: { closedAt: Date | null; nowMs: number },
): Promise<PollRow> {
  await deleteMarks(trx, poll.id)
  const counts = await countAnswers(trx, poll, dayOf(nowMs))
  return saveCounts(trx, poll.id, { counts, closedAt })
}
