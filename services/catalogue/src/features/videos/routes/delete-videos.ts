import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CountResult, VideoIdsBody } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit'
import type { Guard } from '@looptide/service-kit/guard'
import { requireAdmin } from '@looptide/service-kit/request-user'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DeletedVideoService } from '../../deleted-videos/deleted-video-service.ts'

/** More than this many at once is a guarded action (decisions, "Guarded actions"). */
const UNGUARDED_DELETES = 20

/** Refuses anybody but admins; more than 20 videos at once are a guarded action. */
export async function checkDelete(
  request: FastifyRequest,
  reply: FastifyReply,
  guard: Guard,
  count: number,
): Promise<void> {
  // The guard refuses people who are not admins, and records that they tried.
  if (count > UNGUARDED_DELETES) await guard.check(request, 'video.delete.admin')
  else await requireAdmin(request, reply)
}

/** DELETE /api/videos: deletes these videos (admin). They can be restored for 30 days. */
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
    async (request, reply) => {
      const { ids } = request.body
      await checkDelete(request, reply, guard, ids.length)
      return { count: await deleted.delete(ids, causeOf(request)) }
    },
  )
}
