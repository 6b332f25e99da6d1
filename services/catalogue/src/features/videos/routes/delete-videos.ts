import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CountResult, VideoIdsBody } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit'
import type { Guard } from '@looptide/service-kit/guard'
import { requireAdmin } from '@looptide/service-kit/request-user'
import type { VideoService } from '../video-service.ts'

/** More than this many at once is a guarded action (decisions, "Guarded actions"). */
const UNGUARDED_DELETES = 20

/** DELETE /api/videos: deletes these videos (admin). */
export const deleteVideos: FastifyPluginAsyncTypebox<{ videos: VideoService; guard: Guard }> = async (
  app,
  { videos, guard },
) => {
  app.delete(
    '/api/videos',
    {
      schema: { body: VideoIdsBody, response: { 200: CountResult } },
      config: { operation: 'catalogue.video.delete' },
    },
    async (request, reply) => {
      const { ids } = request.body
      // The guard refuses whoever is no admin, and remembers that they tried.
      if (ids.length > UNGUARDED_DELETES) await guard.check(request, 'video.delete.admin')
      else await requireAdmin(request, reply)
      return { count: await videos.delete(ids, causeOf(request)) }
    },
  )
}
