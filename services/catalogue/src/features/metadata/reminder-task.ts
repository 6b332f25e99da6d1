import { splitIntoLists } from '@looptide/service-kit/events/event-lists'
import { appendEvents, type NewEvent } from '@looptide/service-kit/events/outbox'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { CatalogueDb } from '../../db/schema.ts'
import { type DueVideo, isImporting, takeDueReminders } from './reminder-repository.ts'

const EVERY_MS = 5000
/** Maximum videos in one batch. */
const BATCH_SIZE = 250
/** Maximum batches in one run: 10,000 videos. */
const BATCHES_PER_RUN = 40

/**
 * Requests missing metadata and missing durations of media files again, in case the metadata worker has lost the jobs:
 * after 40 s, then at growing intervals. The worker ignores videos that have a job. Also requests premieres and live
 * streams again, and sends the requests that an import has left to it. Waits while videos are being imported: their
 * metadata would take half of the processor time. Any number of replicas may run this task at once.
 */
export const reminderTask = (db: CatalogueDb, logger: Logger): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: EVERY_MS,
    atStart: false,
    failure: 'metadata reminders not sent',
    run: () => sendDueReminders(db),
  })

/** Sends due reminders, up to {@link BATCHES_PER_RUN} batches. */
export async function sendDueReminders(db: CatalogueDb): Promise<void> {
  for (let count = 0; count < BATCHES_PER_RUN; count += 1) {
    const sent = await db.transaction().execute(async (trx) => {
      if (await isImporting(trx)) return 0
      const due = await takeDueReminders(trx, BATCH_SIZE)
      await appendEvents(trx, requestsFor(due))
      return due.length
    })
    if (sent < BATCH_SIZE) return
  }
}

const metadataRequest = (youtubeIds: string[], missingOnly: boolean): NewEvent => ({
  type: 'catalogue.metadata.requested.v1',
  aggregateId: youtubeIds[0] ?? '',
  data: { youtubeIds, force: false, missingOnly },
})

function requestsFor(due: readonly DueVideo[]): NewEvent[] {
  const idsOf = (videos: readonly DueVideo[]) => videos.flatMap(({ youtubeId }) => youtubeId ?? [])
  const isNewRequest = ({ isUnavailable, isFirst }: DueVideo) => isUnavailable || isFirst
  const missing = due.filter((video) => !isNewRequest(video))
  const media = due.flatMap(({ id, youtubeId, videoUrl }) =>
    youtubeId === null ? [{ videoId: id, url: videoUrl }] : [],
  )
  return [
    ...splitIntoLists(idsOf(missing)).map((ids) => metadataRequest(ids, true)),
    // Jobs of these have ended: as unavailable, or before the video was added.
    ...splitIntoLists(idsOf(due.filter(isNewRequest))).map((ids) => metadataRequest(ids, false)),
    // An encoded URL has up to 18 KB: the limit of 2,048 characters applies before its characters are escaped.
    ...splitIntoLists(media).map(
      (files): NewEvent => ({
        type: 'catalogue.probe.requested.v1',
        aggregateId: files[0]?.videoId ?? '',
        data: { media: files },
      }),
    ),
  ]
}
