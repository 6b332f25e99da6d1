import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { UpdateMetadataBody, UpdateMetadataResult } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { VideoService } from '../video-service.ts'

/** POST /api/videos/update-metadata: requests metadata from YouTube again (`videos:edit`). Count 0: nothing to update. */
export const updateMetadata: FastifyPluginAsyncTypebox<{ videos: VideoService }> = async (
  app,
  { videos },
) => {
  app.post(
    '/api/videos/update-metadata',
    {
      schema: { body: UpdateMetadataBody, response: { 200: UpdateMetadataResult } },
      config: { operation: 'catalogue.video.update_metadata' },
    },
    async (request) => {
      const youtubeIds = await videos.updateMetadata(request.body.ids, causeOf(request))
      return { count: youtubeIds.length, youtubeIds }
    },
  )
}
