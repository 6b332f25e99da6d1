import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RetryJobsResult } from '@looptide/contracts/http/metadata'
import { newId } from '@looptide/service-kit/db/ids'
import type { AuditRecorder } from '../../../audit/audit-recorder.ts'
import type { LookupQueue } from '../../../queue/lookup-queue.ts'
import { withRedis } from '../../../redis.ts'

/** POST /api/metadata/jobs/retry: retries all failed look-ups and returns their number (`videos:edit`). */
export const retryAllJobs: FastifyPluginAsyncTypebox<{
  queue: LookupQueue
  audit: AuditRecorder
}> = async (app, { queue, audit }) => {
  app.post(
    '/api/metadata/jobs/retry',
    {
      schema: { response: { 200: RetryJobsResult } },
      config: { operation: 'metadata.job.retry_all' },
    },
    async (request) => {
      const failed = await withRedis(() => queue.failedIds())
      if (failed.length === 0) return { count: 0 }
      await audit.record(request, {
        action: 'metadata.retry_all',
        details: { count: failed.length },
      })
      const lookup = { requestId: newId(), version: Date.now(), correlationId: request.id }
      await withRedis(() => queue.request(failed, lookup, true))
      return { count: failed.length }
    },
  )
}
