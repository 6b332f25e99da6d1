import { DELETED_RETENTION_DAYS } from '@looptide/contracts/http/deleted-videos'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Kysely } from 'kysely'
import type { Database } from './db/schema.ts'
import { deleteAiringsBefore } from './features/airings/airing-repository.ts'
import { deleteBodiesBefore } from './features/decisions/decision-repository.ts'
import { deleteRemovedBefore, recountAfter } from './features/likes/like-repository.ts'
import { dayOf } from './features/networks/network-keys.ts'
import { deleteNetworksBefore } from './features/networks/network-repository.ts'
import { deletePollsBefore, deleteVotesInClosed } from './features/polls/poll-repository.ts'
import { markQueuesChanged } from './features/queue/queue-repository.ts'
import { deleteReactionsBefore } from './features/reactions/reaction-repository.ts'
import { deleteStartsBefore } from './features/reminders/reminder-repository.ts'
import { deleteFinishedBefore } from './features/requests/request-repository.ts'
import { deleteVotesOfAbsent, FIRST_VOTER } from './features/requests/vote-repository.ts'
import { deleteExpiredRestrictions } from './features/users/user-repository.ts'
import { deleteWatchHoursBefore } from './features/watching/watch-repository.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Watched hours and networks are kept for this time, in days. */
const WATCHING_DAYS = 2
/** Who has voted for what in a poll is kept for this time after its end, in days; the result stays. */
const POLL_VOTES_DAYS = 1
/** Published queues are kept for this time, in ms, and for this time after the start of what was decided with them. */
const QUEUES_MS = 2 * HOUR_MS

interface HousekeepingDeps {
  db: Kysely<Database>
  logger: Logger
  now: () => number
  airLogDays: number
  /** Minutes watched in the last day that a vote needs. */
  minWatchMinutes: number
}

/** Accounts whose votes are looked at in one transaction. */
const VOTERS = 200

/** Takes the votes of those back who have not watched since: who leaves gives up what is decided later. */
async function forgetAbsentVoters(db: Kysely<Database>, since: Date): Promise<void> {
  for (let after: string | null = FIRST_VOTER; after !== null; ) {
    const position = { after, limit: VOTERS }
    after = await db.transaction().execute(async (trx) => {
      const { last, channelIds } = await deleteVotesOfAbsent(trx, since, position)
      await markQueuesChanged(trx, channelIds)
      return last
    })
  }
}

/** Videos whose likes are counted in one transaction. */
const COUNTED_VIDEOS = 500
const BEFORE_ALL_VIDEOS = '00000000-0000-0000-0000-000000000000'

/** Counts all likes again, and publishes the numbers that were wrong, as after rows were deleted by hand. */
export async function recountLikes(db: Kysely<Database>): Promise<void> {
  for (let last: string | undefined = BEFORE_ALL_VIDEOS; last !== undefined; ) {
    const after: string = last
    last = await db.transaction().execute((trx) => recountAfter(trx, after, COUNTED_VIDEOS))
  }
}

/** Deletes old rows, and corrects wrong numbers of likes, every hour. Several replicas may run it at the same time. */
export const housekeeping = ({
  db,
  logger,
  now,
  airLogDays,
  minWatchMinutes,
}: HousekeepingDeps): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: HOUR_MS,
    atStart: true,
    failure: 'audience housekeeping failed',
    run: async () => {
      const daysAgo = (days: number) => new Date(now() - days * DAY_MS)
      await deleteFinishedBefore(db, daysAgo(airLogDays))
      await deleteReactionsBefore(db, daysAgo(airLogDays))
      await deletePollsBefore(db, daysAgo(airLogDays))
      await deleteVotesInClosed(db, daysAgo(POLL_VOTES_DAYS))
      await deleteAiringsBefore(db, daysAgo(airLogDays))
      if (minWatchMinutes > 0) await forgetAbsentVoters(db, daysAgo(1))
      await deleteWatchHoursBefore(db, daysAgo(WATCHING_DAYS))
      await deleteNetworksBefore(db, dayOf(daysAgo(WATCHING_DAYS).getTime()))
      await deleteBodiesBefore(db, new Date(now() - QUEUES_MS))
      await deleteRemovedBefore(db, daysAgo(DELETED_RETENTION_DAYS + 1))
      await recountLikes(db)
      await deleteStartsBefore(db, daysAgo(1))
      await deleteExpiredRestrictions(db, daysAgo(1))
    },
  })
