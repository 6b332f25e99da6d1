import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { TagList } from '@looptide/contracts/http/videos'
import type { CatalogueDb } from '../../../db/schema.ts'
import { listTags as readTags } from '../tag-repository.ts'

/** GET /api/videos/tags: the tags of the library with their number of videos (`videos:edit`). */
export const listTags: FastifyPluginAsyncTypebox<{ db: CatalogueDb }> = async (app, { db }) => {
  app.get(
    '/api/videos/tags',
    {
      schema: { response: { 200: TagList } },
      config: { operation: 'catalogue.video.list_tags' },
    },
    async () => ({ items: await readTags(db) }),
  )
}
