import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CreatePlaylistBody, Playlist } from '@looptide/contracts/http/playlists'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import { type PlaylistService, presentPlaylist } from '../playlist-service.ts'

/** POST /api/playlists: creates a private playlist. */
export const createPlaylist: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.post(
    '/api/playlists',
    {
      schema: { body: CreatePlaylistBody, response: { 201: Playlist } },
      config: { operation: 'catalogue.playlist.create' },
    },
    async (request, reply) => {
      const { name, description } = request.body
      const playlist = await playlists.create(name, description, signedIn(request))
      return reply.status(201).send(presentPlaylist(playlist))
    },
  )
}
