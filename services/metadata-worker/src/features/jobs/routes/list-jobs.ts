import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MetadataJobPage, MetadataJobsQuery } from '@looptide/contracts/http/metadata'
import { decodeCursor, encodeCursor } from '@looptide/service-kit/http/cursor'
import { AppError } from '@looptide/service-kit/http/errors'
import type { LookupQueue } from '../../../queue/lookup-queue.ts'
import { withRedis } from '../../../redis.ts'

const MAX_OFFSET = 1_000_000

/** GET /api/metadata/jobs: look-up jobs in one state (`videos:edit`). `failed` jobs are the dead letters. */
export const listJobs: FastifyPluginAsyncTypebox<{ queue: LookupQueue }> = async (app, { queue }) => {
  app.get(
    '/api/metadata/jobs',
    {
      schema: { querystring: MetadataJobsQuery, response: { 200: MetadataJobPage } },
      config: { operation: 'metadata.job.list' },
    },
    async (request) => {
      const { state = 'failed', limit = 100, cursor } = request.query
      const from = cursor === undefined ? { type: 0, offset: 0 } : positionOf(cursor)
      const { jobs, next } = await withRedis(() => queue.list(state, limit, from))
      return { items: jobs, nextCursor: next === null ? null : encodeCursor([next.type, next.offset]) }
    },
  )
}

function positionOf(cursor: string): { type: number; offset: number } {
  const [type, offset] = decodeCursor(cursor, ['number', 'number'])
  const isValid = Number.isInteger(type) && type >= 0 && type < 2 && Number.isInteger(offset)
  if (!isValid || offset < 0 || offset > MAX_OFFSET) {
    throw new AppError('invalid_cursor', 'The cursor is invalid.')
  }
  return { type, offset }
}
