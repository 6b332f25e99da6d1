import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DeletedVideoPage, DeletedVideosQuery, RestoreResult } from '@looptide/contracts/http/deleted-videos'
import { CountResult, VideoIdsBody } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { Guard } from '@looptide/service-kit/audit/guard'
import { toPage } from '@looptide/service-kit/http/cursor'
import { checkDelete } from '../../videos/check-delete.ts'
import { deletedCursor } from '../deleted-video-repository.ts'
import { type DeletedVideoService, presentDeleted } from '../deleted-video-service.ts'

/** GET /api/videos/deleted and POST /api/videos/restore: list and restore deleted videos (`videos:edit`). */
export const deletedVideos: FastifyPluginAsyncTypebox<{ deleted: DeletedVideoService }> = async (
  app,
  { deleted },
) => {
  app.get(
    '/api/videos/deleted',
    {
      schema: { querystring: DeletedVideosQuery, response: { 200: DeletedVideoPage } },
      config: { operation: 'catalogue.video.list_deleted' },
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
    },
    async (request) => deleted.restore(request.body.ids, causeOf(request)),
  )
}

/** DELETE /api/videos/deleted: permanently deletes deleted videos (`videos:purge`, guarded). */
export const purgeVideos: FastifyPluginAsyncTypebox<{
  deleted: DeletedVideoService
  guard: Guard
}> = async (app, { deleted, guard }) => {
  app.delete(
    '/api/videos/deleted',
    {
      schema: { body: VideoIdsBody, response: { 200: CountResult } },
      config: { operation: 'catalogue.video.purge' },
    },
    async (request) => {
      const { ids } = request.body
      await checkDelete(request, guard, 'video.purge.admin', ids.length)
      return { count: await deleted.purge(ids, causeOf(request)) }
    },
  )
}
