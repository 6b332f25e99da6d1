import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PlaylistItemParams } from '@looptide/contracts/http/playlists'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { PlaylistService } from '../playlist-service.ts'

/** DELETE /api/playlists/:id/items/:itemId: removes an item (owner). */
export const removeItem: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.delete(
    '/api/playlists/:id/items/:itemId',
    {
      schema: { params: PlaylistItemParams },
      config: { operation: 'catalogue.playlist.remove_item' },
    },
    async (request, reply) => {
      await playlists.removeItem(request.params.id, request.params.itemId, signedIn(request))
      return reply.status(204).send()
    },
  )
}
