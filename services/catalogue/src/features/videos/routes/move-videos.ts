import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CountResult, MoveVideosBody } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { VideoService } from '../video-service.ts'

/** POST /api/videos/move: moves videos to a category (`videos:edit`). */
export const moveVideos: FastifyPluginAsyncTypebox<{ videos: VideoService }> = async (app, { videos }) => {
  app.post(
    '/api/videos/move',
    {
      schema: { body: MoveVideosBody, response: { 200: CountResult } },
      config: { operation: 'catalogue.video.move' },
    },
    async (request) => {
      const { ids, category } = request.body
      return { count: await videos.move(ids, category, causeOf(request)) }
    },
  )
}
