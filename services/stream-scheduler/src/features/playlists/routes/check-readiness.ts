import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { VideoReadiness } from '@looptide/contracts/http/channels'
import { LookUpVideosQuery } from '@looptide/contracts/http/videos'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { findVideos } from '../playlist-repository.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** GET /api/live-playlist/readiness (`schedules:edit`): which of these videos have arrived from the catalogue. */
export const checkReadiness: FastifyPluginAsyncTypebox<{ db: Kysely<Database> }> = async (app, { db }) => {
  app.get(
    '/api/live-playlist/readiness',
    {
      schema: { querystring: LookUpVideosQuery, response: { 200: VideoReadiness } },
      config: { operation: 'stream.video.check_readiness' },
    },
    async (request) => {
      const ids = request.query.ids.split(',').filter((id) => UUID.test(id))
      return { readyIds: [...(await findVideos(db, ids)).keys()] }
    },
  )
}
