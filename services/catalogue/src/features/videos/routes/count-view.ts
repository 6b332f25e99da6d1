import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams, ViewResult } from '@looptide/contracts/http/videos'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { CatalogueDb } from '../../../db/schema.ts'
import { countView as count } from '../view-service.ts'

/** POST /api/videos/:id/views: counts a view when the player of a signed-in viewer opens the video. */
export const countView: FastifyPluginAsyncTypebox<{ db: CatalogueDb; now?: () => number }> = async (
  app,
  { db, now = Date.now },
) => {
  app.post(
    '/api/videos/:id/views',
    {
      schema: { params: IdParams, response: { 200: ViewResult } },
      config: { operation: 'catalogue.video.count_view' },
    },
    async (request) => count(db, request.params.id, signedIn(request), now()),
  )
}
