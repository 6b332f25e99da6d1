import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PageQuery } from '@looptide/contracts/common'
import { PlaylistItemPage } from '@looptide/contracts/http/playlists'
import { IdParams } from '@looptide/contracts/http/videos'
import { toPage } from '@looptide/service-kit/http/cursor'
import { type PlaylistService, presentItem } from '../playlist-service.ts'

/** GET /api/playlists/:id/items: the items of a playlist by position. */
export const listItems: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.get(
    '/api/playlists/:id/items',
    {
      schema: { params: IdParams, querystring: PageQuery, response: { 200: PlaylistItemPage } },
      config: { operation: 'catalogue.playlist.list_items' },
    },
    async (request) => {
      const { limit = 100, cursor } = request.query
      const rows = await playlists.items(request.params.id, request.user, limit, cursor)
      return toPage(rows, limit, presentItem, (row) => [row.position, row.id])
    },
  )
}
