import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams, ChannelPlaylistPage, ChannelPlaylistQuery } from '@looptide/contracts/http/channels'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { playlistPage } from '../list-page.ts'

/** GET /api/channels/:id/playlist (admin). */
export const listChannelPlaylist: FastifyPluginAsyncTypebox<{ db: Kysely<Database> }> = async (
  app,
  { db },
) => {
  app.get(
    '/api/channels/:id/playlist',
    {
      schema: {
        params: ChannelParams,
        querystring: ChannelPlaylistQuery,
        response: { 200: ChannelPlaylistPage },
      },
      config: { operation: 'stream.playlist.list' },
    },
    async (request) => playlistPage(db, request.params.id, request.query),
  )
}
