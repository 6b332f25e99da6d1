import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ShortLists, WithoutVideosBody } from '@looptide/contracts/http/short-lists'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { shortLists } from '../short-list-repository.ts'

/** Bytes of 20,000 ids with quotes and commas. */
const BODY_LIMIT = 1_048_576

/** GET and POST /api/channels/short-lists (admin): channels whose loop is, or would be, shorter than an hour. */
export const listShortLists: FastifyPluginAsyncTypebox<{
  db: Kysely<Database>
  fallbackMaxMs: number
}> = async (app, { db, fallbackMaxMs }) => {
  app.get(
    '/api/channels/short-lists',
    { schema: { response: { 200: ShortLists } }, config: { operation: 'stream.channel.list_short' } },
    async () => ({ items: await shortLists(db, fallbackMaxMs) }),
  )
  app.post(
    '/api/channels/short-lists',
    {
      bodyLimit: BODY_LIMIT,
      schema: { body: WithoutVideosBody, response: { 200: ShortLists } },
      config: { operation: 'stream.channel.list_short_without' },
    },
    async ({ body }) => ({ items: await shortLists(db, fallbackMaxMs, body.withoutVideoIds) }),
  )
}
