import { type Envelope, LIVE_SUBJECTS, type MetadataProgress } from '@looptide/contracts/events'
import type { NatsConnection } from '@looptide/service-kit/events/nats-client'
import type { LookupQueue } from '../queue/lookup-queue.ts'

const YOUTUBE_ID = /^[A-Za-z0-9_-]{11}$/

/**
 * Queues a look-up job for each requested video that has none. A reminder (`missingOnly`) leaves existing jobs unchanged.
 */
export const onMetadataRequested =
  (queue: LookupQueue, nats: NatsConnection) =>
  async (_context: null, envelope: Envelope<'catalogue.metadata.requested.v1'>): Promise<void> => {
    const { youtubeIds, force, missingOnly = false } = envelope.data
    const validIds = [...new Set(youtubeIds)].filter((id) => YOUTUBE_ID.test(id))
    const queuedIds = missingOnly ? await queue.withoutJob(validIds) : validIds
    const { id: requestId, correlationId } = envelope
    const request = { requestId, version: Date.now(), correlationId, isRepeated: true }
    await queue.request(queuedIds, request, force)
    for (const youtubeId of queuedIds) {
      const progress: MetadataProgress = { youtubeId, state: 'queued', reason: null }
      nats.publish(LIVE_SUBJECTS.metadataProgress, JSON.stringify(progress))
    }
  }
