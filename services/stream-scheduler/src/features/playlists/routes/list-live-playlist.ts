import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelPlaylistPage, ChannelPlaylistQuery } from '@looptide/contracts/http/channels'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { DEFAULT_CHANNEL_ID } from '../../../timeline/rules.ts'
import { playlistPage } from '../playlist-page.ts'

/** GET /api/live-playlist (`schedules:edit`): the playlist of the default channel. While it is empty, the fallback plays. */
export const listLivePlaylist: FastifyPluginAsyncTypebox<{ db: Kysely<Database> }> = async (app, { db }) => {
  app.get(
    '/api/live-playlist',
    {
      schema: { querystring: ChannelPlaylistQuery, response: { 200: ChannelPlaylistPage } },
      config: { operation: 'stream.live_playlist.list' },
    },
    async (request) => playlistPage(db, DEFAULT_CHANNEL_ID, request.query),
  )
}
