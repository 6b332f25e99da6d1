import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Envelope } from '@looptide/contracts/events'
import { MetadataJob, YoutubeIdParams } from '@looptide/contracts/http/metadata'
import { causeOf } from '@looptide/service-kit/audit'
import { errors } from '@looptide/service-kit/errors'
import { newId } from '@looptide/service-kit/ids'
import { publishEnvelope } from '@looptide/service-kit/outbox'
import { requireAdmin } from '@looptide/service-kit/request-user'
import type { FastifyRequest } from 'fastify'
import type { NatsConnection } from 'nats'
import type { LookupQueue } from '../../../queue/lookup-queue.ts'
import { withRedis } from '../../../redis.ts'

/** POST /api/metadata/jobs/:youtubeId/retry: looks a video up again that could not be (admin). */
export const retryJob: FastifyPluginAsyncTypebox<{ queue: LookupQueue; nats: NatsConnection }> = async (
  app,
  { queue, nats },
) => {
  app.post(
    '/api/metadata/jobs/:youtubeId/retry',
    {
      schema: { params: YoutubeIdParams, response: { 200: MetadataJob } },
      config: { operation: 'metadata.job.retry' },
      onRequest: requireAdmin,
    },
    async (request) => {
      const { youtubeId } = request.params
      const before = await withRedis(() => queue.find(youtubeId))
      if (before === null || before.state !== 'failed')
        throw errors.notFound('A failed look-up of this video')
      await audit(nats, request, before)
      // As new as now: a row that was changed since the first request takes this answer.
      const asked = { requestId: newId(), version: Date.now(), correlationId: request.id }
      await withRedis(() => queue.request([youtubeId], asked, true))
      return { ...before, state: 'queued' as const, reason: null, attempts: 0, updatedAtMs: Date.now() }
    },
  )
}

/** Written before the deed, for there is no transaction that holds both; no word in the log, no deed. */
async function audit(nats: NatsConnection, request: FastifyRequest, before: MetadataJob): Promise<void> {
  const envelope: Envelope<'metadata.audit.recorded.v1'> = {
    id: newId(),
    type: 'metadata.audit.recorded.v1',
    occurredAt: new Date().toISOString(),
    ...causeOf(request),
    aggregateId: before.youtubeId,
    aggregateVersion: Date.now(),
    data: {
      action: 'metadata.retry',
      targetType: 'youtube_video',
      targetId: before.youtubeId,
      targetUserId: null,
      before,
      after: null,
      details: null,
    },
  }
  try {
    await publishEnvelope(nats.jetstream(), nats, envelope)
  } catch (error) {
    throw errors.unavailable('The audit log', error)
  }
}
