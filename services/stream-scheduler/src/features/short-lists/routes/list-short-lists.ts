import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ShortLoops, WithoutVideosBody } from '@looptide/contracts/http/short-loops'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { shortLists } from '../short-list-repository.ts'

/** Twenty thousand ids with their quotes and commas. */
const BODY_LIMIT = 1_048_576

/** GET and POST /api/channels/short-loops (admin): channels that repeat themselves within an hour, or would. */
export const listShortLists: FastifyPluginAsyncTypebox<{
  db: Kysely<Database>
  fallbackMaxMs: number
}> = async (app, { db, fallbackMaxMs }) => {
  app.get(
    '/api/channels/short-loops',
    { schema: { response: { 200: ShortLoops } }, config: { operation: 'stream.channel.list_short_loops' } },
    async () => ({ items: await shortLists(db, fallbackMaxMs) }),
  )
  app.post(
    '/api/channels/short-loops',
    {
      bodyLimit: BODY_LIMIT,
      schema: { body: WithoutVideosBody, response: { 200: ShortLoops } },
      config: { operation: 'stream.channel.preview_short_loops' },
    },
    async ({ body }) => ({ items: await shortLists(db, fallbackMaxMs, body.withoutVideoIds) }),
  )
}
