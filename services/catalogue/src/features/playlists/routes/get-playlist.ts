import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Playlist } from '@looptide/contracts/http/playlists'
import { IdParams } from '@looptide/contracts/http/videos'
import { type PlaylistService, presentPlaylist } from '../playlist-service.ts'

/** GET /api/playlists/:id: the user's own playlist or a public one. */
export const getPlaylist: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.get(
    '/api/playlists/:id',
    {
      schema: { params: IdParams, response: { 200: Playlist } },
      config: { operation: 'catalogue.playlist.get' },
    },
    async (request) => presentPlaylist(await playlists.read(request.params.id, request.user)),
  )
}
