import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ListPlaylistsQuery, PlaylistPage } from '@looptide/contracts/http/playlists'
import { toPage } from '@looptide/service-kit/http/cursor'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import { type PlaylistService, presentPlaylist } from '../playlist-service.ts'

/** GET /api/playlists: the user's own playlists, or the public ones of `userId`. */
export const listPlaylists: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.get(
    '/api/playlists',
    {
      schema: { querystring: ListPlaylistsQuery, response: { 200: PlaylistPage } },
      config: { operation: 'catalogue.playlist.list' },
    },
    async (request) => {
      const { limit = 100, cursor, userId } = request.query
      const rows = await playlists.list(userId ?? signedIn(request).id, request.user, limit, cursor)
      return toPage(rows, limit, presentPlaylist, (row) => [row.createdAt.getTime(), row.id])
    },
  )
}
