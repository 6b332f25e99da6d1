import type { Logger } from '@looptide/service-kit/logger'
import { appendEvents, type NewEvent } from '@looptide/service-kit/outbox'
import { PeriodicTask } from '@looptide/service-kit/periodic-task'
import type { CatalogueDb } from '../../db/schema.ts'
import { type DueVideo, takeDueReminders } from './reminder-repository.ts'

const EVERY_MS = 5000
/** Most videos of one event: 250 addresses of 2 KB fit. */
const BATCH = 250
/** Most batches of one pass: 10,000 videos. */
const BATCHES_PER_PASS = 40

/**
 * Requests the metadata of videos that still wait for it again, in case the worker has lost their jobs: after 40 s, then
 * at growing intervals. Requests the durations of media files likewise. The worker ignores videos that have a job. Any
 * number of replicas may do it at once.
 */
export const reminderTask = (db: CatalogueDb, logger: Logger): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: EVERY_MS,
    atStart: false,
    failure: 'metadata reminders not sent',
    run: () => sendDueReminders(db),
  })

/** Sends the reminders that are due, up to {@link BATCHES_PER_PASS} batches. */
export async function sendDueReminders(db: CatalogueDb): Promise<void> {
  for (let count = 0; count < BATCHES_PER_PASS; count += 1) {
    const sent = await db.transaction().execute(async (trx) => {
      const due = await takeDueReminders(trx, BATCH)
      await appendEvents(trx, requestsFor(due))
      return due.length
    })
    if (sent < BATCH) return
  }
}

function requestsFor(due: readonly DueVideo[]): NewEvent[] {
  const youtubeIds = due.flatMap(({ youtubeId }) => youtubeId ?? [])
  const media = due.flatMap(({ id, youtubeId, videoUrl }) =>
    youtubeId === null ? [{ videoId: id, url: videoUrl }] : [],
  )
  const events: NewEvent[] = []
  if (youtubeIds[0] !== undefined) {
    const data = { youtubeIds, force: false, missingOnly: true }
    events.push({ type: 'catalogue.metadata.requested.v1', aggregateId: youtubeIds[0], data })
  }
  if (media[0] !== undefined) {
    events.push({ type: 'catalogue.probe.requested.v1', aggregateId: media[0].videoId, data: { media } })
  }
  return events
}
