import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ImportVideosBody, ImportVideosResult } from '@looptide/contracts/http/video-import'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { VideoService } from '../video-service.ts'

/** POST /api/videos/import: adds videos with individual artists, genres and categories, or previews that (`videos:edit`). */
export const importVideos: FastifyPluginAsyncTypebox<{ videos: VideoService }> = async (app, { videos }) => {
  app.post(
    '/api/videos/import',
    {
      schema: { body: ImportVideosBody, response: { 200: ImportVideosResult } },
      config: { operation: 'catalogue.video.import' },
      bodyLimit: 1_310_720,
    },
    async (request) => {
      const { rows, dryRun } = request.body
      if (dryRun) return videos.previewRows(rows)
      return videos.addRows(rows, signedIn(request), causeOf(request))
    },
  )
}
