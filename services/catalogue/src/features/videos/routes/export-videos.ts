import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { requireFreshFactor } from '@looptide/service-kit/identity/request-user'
import { Type } from 'typebox'
import type { CatalogueDb } from '../../../db/schema.ts'
import { exportVideos as linesOf } from '../export-videos.ts'
import type { VideoService } from '../video-service.ts'

/** POST /api/videos/export: streams the whole library as CSV (`videos:export`). The export is audited. */
export const exportVideos: FastifyPluginAsyncTypebox<{ db: CatalogueDb; videos: VideoService }> = async (
  app,
  { db, videos },
) => {
  app.post(
    '/api/videos/export',
    {
      schema: { body: Type.Object({}, { additionalProperties: false }) },
      config: { operation: 'catalogue.video.export' },
    },
    async (request, reply) => {
      requireFreshFactor(request)
      await videos.auditExport(causeOf(request))
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="video-library.csv"')
        .header('cache-control', 'no-store')
        .send(Readable.from(linesOf(db)))
    },
  )
}
