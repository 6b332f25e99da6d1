import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams, Video } from '@looptide/contracts/http/videos'
import type { CatalogueDb } from '../../../db/schema.ts'
import { presentVideo } from '../present-video.ts'
import { findVideo } from '../video-repository.ts'
import { noSuchVideo } from '../video-service.ts'

/** GET /api/videos/:id: a public video; any for an admin. */
export const getVideo: FastifyPluginAsyncTypebox<{ db: CatalogueDb }> = async (app, { db }) => {
  app.get(
    '/api/videos/:id',
    {
      schema: { params: IdParams, response: { 200: Video } },
      config: { operation: 'catalogue.video.get' },
    },
    async (request) => {
      const row = await findVideo(db, request.params.id)
      if (row === undefined || !(row.isPublic || request.user?.role === 'admin')) throw noSuchVideo()
      return presentVideo(row)
    },
  )
}
