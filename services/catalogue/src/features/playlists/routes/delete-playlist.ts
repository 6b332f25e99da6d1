import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '@looptide/contracts/http/videos'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { PlaylistService } from '../playlist-service.ts'

/** DELETE /api/playlists/:id: deletes a playlist (owner). */
export const deletePlaylist: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.delete(
    '/api/playlists/:id',
    {
      schema: { params: IdParams },
      config: { operation: 'catalogue.playlist.delete' },
    },
    async (request, reply) => {
      await playlists.delete(request.params.id, signedIn(request))
      return reply.status(204).send()
    },
  )
}
