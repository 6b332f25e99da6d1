import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LookUpVideosQuery, VideoLookUp } from '@looptide/contracts/http/videos'
import type { CatalogueDb } from '../../../db/schema.ts'
import { presentVideo } from '../present-video.ts'
import { findVisible } from '../visible-videos.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** GET /api/videos/lookup: those of several videos that the user may see, e.g. to poll for their metadata. */
export const lookUpVideos: FastifyPluginAsyncTypebox<{ db: CatalogueDb }> = async (app, { db }) => {
  app.get(
    '/api/videos/lookup',
    {
      schema: { querystring: LookUpVideosQuery, response: { 200: VideoLookUp } },
      config: { operation: 'catalogue.video.look_up' },
    },
    async (request) => {
      const ids = request.query.ids.split(',').filter((id) => UUID.test(id))
      return { items: (await findVisible(db, ids, request.user)).map(presentVideo) }
    },
  )
}
