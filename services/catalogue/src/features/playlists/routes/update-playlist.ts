import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Playlist, UpdatePlaylistBody } from '@looptide/contracts/http/playlists'
import { IdParams } from '@looptide/contracts/http/videos'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import { type PlaylistService, presentPlaylist } from '../playlist-service.ts'

/** PATCH /api/playlists/:id: changes name, description, shuffle, loop, auto-advance and visibility (owner). */
export const updatePlaylist: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.patch(
    '/api/playlists/:id',
    {
      schema: { params: IdParams, body: UpdatePlaylistBody, response: { 200: Playlist } },
      config: { operation: 'catalogue.playlist.update' },
    },
    async (request) =>
      presentPlaylist(await playlists.update(request.params.id, request.body, signedIn(request))),
  )
}
