import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams, Video } from '@looptide/contracts/http/videos'
import type { CatalogueDb } from '../../../db/schema.ts'
import { videoEtag } from '../../video-edits/video-etag.ts'
import { presentVideo } from '../present-video.ts'
import { noSuchVideo } from '../video-errors.ts'
import { findVisibleVideo } from '../visible-videos.ts'

/**
 * GET /api/videos/:id: a public video, or another one that the user may see ({@link findVisibleVideo}). The `ETag` is
 * used as `If-Match` of an edit.
 */
export const getVideo: FastifyPluginAsyncTypebox<{ db: CatalogueDb }> = async (app, { db }) => {
  app.get(
    '/api/videos/:id',
    {
      schema: { params: IdParams, response: { 200: Video } },
      config: { operation: 'catalogue.video.get' },
    },
    async (request, reply) => {
      const row = await findVisibleVideo(db, request.params.id, request.user)
      if (row === undefined) throw noSuchVideo()
      reply.header('etag', videoEtag(row))
      return presentVideo(row)
    },
  )
}
