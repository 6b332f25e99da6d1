import type { Announced } from '@looptide/contracts/http/guide'
import { FIRST_ID } from '@looptide/service-kit/db/ids'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { ReadAnnounced } from './announced.ts'
import { lockGuide, saveGuide, takeStaleGuides } from './guide-repository.ts'
import { followStarts } from './reminded-starts.ts'
import { lockRemindersOf, plannedStarts, saveChanges } from './reminder-repository.ts'

/** Interval at which changed guides are read, in ms. Changes within it are read together. */
const INTERVAL_MS = 1000
/** Guides are read again after this time, in ms: specials are announced without an event of the timeline. */
const REFRESH_MS = 10 * 60_000
/** Guides that are read at the same time. */
const PARALLEL = 8
/** Reminders that follow a guide in one transaction. */
const BATCH = 500

interface FollowerDeps {
  db: Kysely<Database>
  readAnnounced: ReadAnnounced
  logger: Logger
  now: () => number
}

/** Lets reminders follow the guides of their channels, which are read when they have changed. In any number of replicas. */
export const guideFollower = (deps: FollowerDeps): PeriodicTask =>
  new PeriodicTask({
    logger: deps.logger,
    everyMs: INTERVAL_MS,
    atStart: true,
    failure: 'guides of reminders not read',
    run: (signal) => followGuides(deps, signal),
  })

/** One run of {@link guideFollower}. A channel that fails is logged, and tried again after some seconds. */
export async function followGuides(deps: FollowerDeps, signal?: AbortSignal): Promise<void> {
  for (let taken = PARALLEL; taken === PARALLEL && signal?.aborted !== true; ) {
    const channels = await takeStaleGuides(deps.db, deps.now(), PARALLEL)
    taken = channels.length
    await Promise.all(
      channels.map(({ channelId, refreshAt }) =>
        followGuide(deps, channelId, refreshAt).catch((error: unknown) =>
          deps.logger.warn({ err: error, channelId }, 'guide of reminders not read'),
        ),
      ),
    )
  }
}

async function followGuide(
  { db, readAnnounced, now }: FollowerDeps,
  channelId: string,
  takenAt: Date,
): Promise<void> {
  const announced = await readAnnounced(channelId)
  const { name, timelineVersion: version } = announced
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    after = await followBatch(db, announced, after, now())
  }
  const nowMs = now()
  const times = { takenAt, now: new Date(nowMs), next: new Date(nowMs + REFRESH_MS) }
  await db.transaction().execute(async (trx) => {
    if (await lockGuide(trx, { channelId, version }))
      await saveGuide(trx, { channelId, name, version, ...times })
  })
}

/** Applies a guide to some reminders. Returns the last one; undefined after the last ones, or if a newer guide was applied. */
async function followBatch(
  db: Kysely<Database>,
  announced: Announced,
  afterId: string,
  nowMs: number,
): Promise<string | undefined> {
  const { channelId, timelineVersion: version } = announced
  return db.transaction().execute(async (trx) => {
    if (!(await lockGuide(trx, { channelId, version }))) return undefined
    const reminders = await lockRemindersOf(trx, channelId, afterId, BATCH)
    const planned = await plannedStarts(
      trx,
      reminders.map(({ id }) => id),
    )
    for (const reminder of reminders) {
      const changes = followStarts(reminder, planned.get(reminder.id) ?? [], announced, nowMs)
      await saveChanges(trx, reminder.id, changes)
    }
    return reminders.length < BATCH ? undefined : reminders.at(-1)?.id
  })
}
