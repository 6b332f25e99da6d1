import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RetryJobsResult } from '@looptide/contracts/http/metadata'
import { newId } from '@looptide/service-kit/ids'
import type { EventPublisher } from '@looptide/service-kit/publish-envelope'
import { requireAdmin } from '@looptide/service-kit/request-user'
import type { LookupQueue } from '../../../queue/lookup-queue.ts'
import { withRedis } from '../../../redis.ts'
import { recordAudit } from '../record-audit.ts'

/** POST /api/metadata/jobs/retry: looks up again all that could not be (admin); the answer counts them. */
export const retryAllJobs: FastifyPluginAsyncTypebox<{
  queue: LookupQueue
  publisher: EventPublisher
}> = async (app, { queue, publisher }) => {
  app.post(
    '/api/metadata/jobs/retry',
    {
      schema: { response: { 200: RetryJobsResult } },
      config: { operation: 'metadata.job.retry_all' },
      onRequest: requireAdmin,
    },
    async (request) => {
      const failed = await withRedis(() => queue.failedIds())
      if (failed.length === 0) return { count: 0 }
      await recordAudit(publisher, request, {
        action: 'metadata.retry_all',
        details: { count: failed.length },
      })
      const asked = { requestId: newId(), version: Date.now(), correlationId: request.id }
      await withRedis(() => queue.request(failed, asked, true))
      return { count: failed.length }
    },
  )
}
