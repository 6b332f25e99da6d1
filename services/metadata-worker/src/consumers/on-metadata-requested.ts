import { type Envelope, LIVE_SUBJECTS, type MetadataProgress } from '@looptide/contracts/events'
import type { NatsConnection } from '@looptide/service-kit/nats-client'
import type { LookupQueue } from '../queue/lookup-queue.ts'

const YOUTUBE_ID = /^[A-Za-z0-9_-]{11}$/

/**
 * The catalogue wants to know about some videos: each becomes a job, unless it is one already. A
 * reminder only makes the jobs that are missing.
 */
export const onMetadataRequested =
  (queue: LookupQueue, nats: NatsConnection) =>
  async (_context: null, envelope: Envelope<'catalogue.metadata.requested.v1'>): Promise<void> => {
    const { youtubeIds, force, missingOnly = false } = envelope.data
    const known = [...new Set(youtubeIds)].filter((id) => YOUTUBE_ID.test(id))
    const wanted = missingOnly ? await queue.withoutJob(known) : known
    const { id: requestId, correlationId } = envelope
    await queue.request(wanted, { requestId, version: Date.now(), correlationId }, force)
    for (const youtubeId of wanted) {
      const progress: MetadataProgress = { youtubeId, state: 'queued', reason: null }
      nats.publish(LIVE_SUBJECTS.metadataProgress, JSON.stringify(progress))
    }
  }
