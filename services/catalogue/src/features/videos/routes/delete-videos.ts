import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CountResult, VideoIdsBody } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { Guard } from '@looptide/service-kit/audit/guard'
import type { DeletedVideoService } from '../../deleted-videos/deleted-video-service.ts'
import { checkDelete } from '../check-delete.ts'

/** DELETE /api/videos: deletes these videos (`videos:edit`). They can be restored for 30 days. */
export const deleteVideos: FastifyPluginAsyncTypebox<{ deleted: DeletedVideoService; guard: Guard }> = async (
  app,
  { deleted, guard },
) => {
  app.delete(
    '/api/videos',
    {
      schema: { body: VideoIdsBody, response: { 200: CountResult } },
      config: { operation: 'catalogue.video.delete' },
    },
    async (request) => {
      const { ids } = request.body
      await checkDelete(request, guard, 'video.delete.admin', ids.length)
      return { count: await deleted.delete(ids, causeOf(request)) }
    },
  )
}
