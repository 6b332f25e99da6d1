import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AddVideosBody, AddVideosResult } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit'
import { requireUser, signedIn } from '@looptide/service-kit/request-user'
import type { VideoService } from '../video-service.ts'

/**
 * POST /api/videos: adds videos by their addresses; without curation rights they are submitted for review
 * (`video.review`). 500 addresses of 2 KiB need more than the usual body. Refuses with `forbidden` when somebody who
 * is no admin sets a category, `user_restricted`, `rate_limited`, and `unprocessable` when too many wait for review.
 */
export const addVideos: FastifyPluginAsyncTypebox<{ videos: VideoService }> = async (app, { videos }) => {
  app.post(
    '/api/videos',
    {
      schema: { body: AddVideosBody, response: { 200: AddVideosResult } },
      config: { operation: 'catalogue.video.add' },
      onRequest: requireUser,
      bodyLimit: 1_310_720,
    },
    async (request) => {
      const { id, role } = signedIn(request)
      return videos.add(request.body, { id, role }, causeOf(request))
    },
  )
}
