import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { OrderBody } from '@looptide/contracts/http/playlists'
import { IdParams } from '@looptide/contracts/http/videos'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { PlaylistService } from '../playlist-service.ts'

/** PUT /api/playlists/:id/items/order: reorders all items (owner). */
export const reorderItems: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.put(
    '/api/playlists/:id/items/order',
    {
      schema: { params: IdParams, body: OrderBody },
      config: { operation: 'catalogue.playlist.reorder' },
    },
    async (request, reply) => {
      await playlists.reorder(request.params.id, request.body.ids, signedIn(request))
      return reply.status(204).send()
    },
  )
}
