import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Home, HomeQuery } from '@looptide/contracts/http/videos'
import type { CatalogueDb } from '../../../db/schema.ts'
import { readHome as read } from '../home-service.ts'

/** GET /api/home: the hero and the rows of the home page. */
export const readHome: FastifyPluginAsyncTypebox<{ db: CatalogueDb }> = async (app, { db }) => {
  app.get(
    '/api/home',
    {
      schema: { querystring: HomeQuery, response: { 200: Home } },
      config: { operation: 'catalogue.home.read' },
    },
    async (request) => read(db, request.query.seed),
  )
}
