import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AddVideosBody, AddVideosResult } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { VideoService } from '../video-service.ts'

/**
 * POST /api/videos: adds videos by their URLs, or submits them for review if the user is not exempt. The body limit
 * allows 500 URLs of 2 KiB. Throws `forbidden` if a user who does not edit the library sets a category, `user_restricted`,
 * `rate_limited`, and `unprocessable` if too many of the user's videos await review.
 */
export const addVideos: FastifyPluginAsyncTypebox<{ videos: VideoService }> = async (app, { videos }) => {
  app.post(
    '/api/videos',
    {
      schema: { body: AddVideosBody, response: { 200: AddVideosResult } },
      config: { operation: 'catalogue.video.add' },
      bodyLimit: 1_310_720,
    },
    async (request) => {
      const { id, role } = signedIn(request)
      return videos.add(request.body, { id, role }, causeOf(request))
    },
  )
}
