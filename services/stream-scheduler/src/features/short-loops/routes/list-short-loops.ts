import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ShortLoops, WithoutVideosBody } from '@looptide/contracts/http/short-loops'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { findShortLoops } from '../short-loop-repository.ts'

/** Bytes of 20,000 ids with quotes and commas. */
const BODY_LIMIT = 1_048_576

/** GET and POST /api/channels/short-loops (`schedules:edit`): channels whose loop is, or would be, shorter than an hour. */
export const listShortLoops: FastifyPluginAsyncTypebox<{
  db: Kysely<Database>
  fallbackMaxMs: number
}> = async (app, { db, fallbackMaxMs }) => {
  app.get(
    '/api/channels/short-loops',
    { schema: { response: { 200: ShortLoops } }, config: { operation: 'stream.channel.list_short_loops' } },
    async () => ({ items: await findShortLoops(db, fallbackMaxMs) }),
  )
  app.post(
    '/api/channels/short-loops',
    {
      bodyLimit: BODY_LIMIT,
      schema: { body: WithoutVideosBody, response: { 200: ShortLoops } },
      config: { operation: 'stream.channel.preview_short_loops' },
    },
    async ({ body }) => ({ items: await findShortLoops(db, fallbackMaxMs, body.withoutVideoIds) }),
  )
}
