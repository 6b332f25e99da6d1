import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DeletedVideoPage, DeletedVideosQuery, RestoreResult } from '@looptide/contracts/http/deleted-videos'
import { CountResult, VideoIdsBody } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { Guard } from '@looptide/service-kit/audit/guard'
import { toPage } from '@looptide/service-kit/http/cursor'
import { requireAdmin } from '@looptide/service-kit/identity/request-user'
import { checkDelete } from '../../videos/check-delete.ts'
import { deletedCursor } from '../deleted-video-repository.ts'
import { type DeletedVideoService, presentDeleted } from '../deleted-video-service.ts'

/**
 * GET /api/videos/deleted, POST /api/videos/restore and DELETE /api/videos/deleted: list, restore and permanently delete
 * deleted videos (admin).
 */
export const deletedVideos: FastifyPluginAsyncTypebox<{
  deleted: DeletedVideoService
  guard: Guard
}> = async (app, { deleted, guard }) => {
  app.get(
    '/api/videos/deleted',
    {
      schema: { querystring: DeletedVideosQuery, response: { 200: DeletedVideoPage } },
      config: { operation: 'catalogue.video.list_deleted' },
      onRequest: requireAdmin,
    },
    async ({ query: { limit = 100, cursor } }) => {
      const { rows, total } = await deleted.list(limit, cursor)
      return { ...toPage(rows, limit, presentDeleted, deletedCursor), total }
    },
  )
  app.post(
    '/api/videos/restore',
    {
      schema: { body: VideoIdsBody, response: { 200: RestoreResult } },
      config: { operation: 'catalogue.video.restore' },
      onRequest: requireAdmin,
    },
    async (request) => deleted.restore(request.body.ids, causeOf(request)),
  )
  app.delete(
    '/api/videos/deleted',
    {
      schema: { body: VideoIdsBody, response: { 200: CountResult } },
      config: { operation: 'catalogue.video.purge' },
    },
    async (request, reply) => {
      const { ids } = request.body
      await checkDelete(request, reply, guard, ids.length)
      return { count: await deleted.purge(ids, causeOf(request)) }
    },
  )
}
