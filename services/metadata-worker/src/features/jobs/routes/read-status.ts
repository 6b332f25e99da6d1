import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MetadataStatusReport } from '@looptide/contracts/http/metadata'
import type { LookupQueue } from '../../../queue/lookup-queue.ts'
import type { QuotaLedger } from '../../../queue/quota-ledger.ts'
import { withRedis } from '../../../redis.ts'
import type { YoutubeClient } from '../../../youtube/outcome.ts'

interface StatusDeps {
  queue: LookupQueue
  ledger: QuotaLedger
  mode: YoutubeClient['mode']
}

/** GET /api/metadata/status: the numbers of jobs by state, and the used quota of today (`videos:edit`). */
export const readStatus: FastifyPluginAsyncTypebox<StatusDeps> = async (app, { queue, ledger, mode }) => {
  app.get(
    '/api/metadata/status',
    {
      schema: { response: { 200: MetadataStatusReport } },
      config: { operation: 'metadata.status.read' },
    },
    async () =>
      withRedis(async () => ({
        mode,
        ...(await queue.counts()),
        quotaUsed: await ledger.used(),
        quotaLimit: ledger.limit,
        quotaResetsAtMs: ledger.resetsAtMs,
        pausedUntilMs: await ledger.pausedUntil(),
      })),
  )
}
