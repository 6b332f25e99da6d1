import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PlaylistEntries, PlaylistEntriesQuery } from '@looptide/contracts/http/playlists'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { PlaylistService } from '../playlist-service.ts'

/** GET /api/playlists/entries: the items of a video in the user's own playlists. */
export const listEntries: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.get(
    '/api/playlists/entries',
    {
      schema: { querystring: PlaylistEntriesQuery, response: { 200: PlaylistEntries } },
      config: { operation: 'catalogue.playlist.list_entries' },
    },
    async (request) => ({ items: await playlists.entriesOf(request.query.videoId, signedIn(request)) }),
  )
}
