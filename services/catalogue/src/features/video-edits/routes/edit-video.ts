import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { EditVideoBody } from '@looptide/contracts/http/video-edits'
import { IdParams, Video } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { expectedVersion, requireVersion } from '@looptide/service-kit/http/conditional'
import { presentVideo } from '../../videos/present-video.ts'
import type { EditService } from '../edit-service.ts'
import { videoEtag } from '../video-etag.ts'

/** PATCH /api/videos/:id: edits a video (`videos:edit`). Responds 412 if `If-Match` is not the current ETag. */
export const editVideo: FastifyPluginAsyncTypebox<{ edits: EditService }> = async (app, { edits }) => {
  app.patch(
    '/api/videos/:id',
    {
      schema: { params: IdParams, body: EditVideoBody, response: { 200: Video } },
      config: { operation: 'catalogue.video.edit' },
    },
    async (request, reply) => {
      const row = await edits.edit(
        request.params.id,
        request.body,
        (current) => requireVersion(expectedVersion(request), videoEtag(current)),
        causeOf(request),
      )
      reply.header('etag', videoEtag(row))
      return presentVideo(row)
    },
  )
}
