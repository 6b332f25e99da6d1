import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MetadataJob, YoutubeIdParams } from '@looptide/contracts/http/metadata'
import { newId } from '@looptide/service-kit/db/ids'
import { errors } from '@looptide/service-kit/http/errors'
import type { AuditRecorder } from '../../../audit/audit-recorder.ts'
import type { LookupQueue } from '../../../queue/lookup-queue.ts'
import { withRedis } from '../../../redis.ts'

/** POST /api/metadata/jobs/:youtubeId/retry: retries a failed look-up (`videos:edit`). */
export const retryJob: FastifyPluginAsyncTypebox<{ queue: LookupQueue; audit: AuditRecorder }> = async (
  app,
  { queue, audit },
) => {
  app.post(
    '/api/metadata/jobs/:youtubeId/retry',
    {
      schema: { params: YoutubeIdParams, response: { 200: MetadataJob } },
      config: { operation: 'metadata.job.retry' },
    },
    async (request) => {
      const { youtubeId } = request.params
      const before = await withRedis(() => queue.find(youtubeId))
      if (before === null || before.state !== 'failed')
        throw errors.notFound('A failed look-up of this video')
      const target = { targetType: 'youtube_video', targetId: youtubeId }
      await audit.record(request, { action: 'metadata.retry', ...target, before })
      // The version is the current time, so the result also applies to a row that has changed since the first request.
      const lookup = { requestId: newId(), version: Date.now(), correlationId: request.id }
      await withRedis(() => queue.request([youtubeId], lookup, true))
      return { ...before, state: 'queued' as const, reason: null, attempts: 0, updatedAtMs: Date.now() }
    },
  )
}
