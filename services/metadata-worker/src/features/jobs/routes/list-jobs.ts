import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MetadataJobPage, MetadataJobsQuery } from '@looptide/contracts/http/metadata'
import { decodeCursor, encodeCursor } from '@looptide/service-kit/cursor'
import { AppError } from '@looptide/service-kit/errors'
import { requireAdmin } from '@looptide/service-kit/request-user'
import type { LookupQueue } from '../../../queue/lookup-queue.ts'
import { withRedis } from '../../../redis.ts'

const MOST_OFFSET = 1_000_000

/** GET /api/metadata/jobs: look-ups in one state (admin). `failed` ones are the dead letters. */
export const listJobs: FastifyPluginAsyncTypebox<{ queue: LookupQueue }> = async (app, { queue }) => {
  app.get(
    '/api/metadata/jobs',
    {
      schema: { querystring: MetadataJobsQuery, response: { 200: MetadataJobPage } },
      config: { operation: 'metadata.job.list' },
      onRequest: requireAdmin,
    },
    async (request) => {
      const { state = 'failed', limit = 100, cursor } = request.query
      const from = cursor === undefined ? { type: 0, offset: 0 } : placeOf(cursor)
      const { jobs, next } = await withRedis(() => queue.list(state, limit, from))
      return { items: jobs, nextCursor: next === null ? null : encodeCursor([next.type, next.offset]) }
    },
  )
}

function placeOf(cursor: string): { type: number; offset: number } {
  const [type, offset] = decodeCursor(cursor, ['number', 'number'])
  const fits = Number.isInteger(type) && type >= 0 && type < 2 && Number.isInteger(offset)
  if (!fits || offset < 0 || offset > MOST_OFFSET) {
    throw new AppError('invalid_cursor', 'The cursor is invalid.')
  }
  return { type, offset }
}
