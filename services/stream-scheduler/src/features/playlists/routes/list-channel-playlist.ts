import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams, ChannelPlaylistPage, ChannelPlaylistQuery } from '@looptide/contracts/http/channels'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { playlistPage } from '../playlist-page.ts'
import { readVersion } from '../playlist-repository.ts'
import { etagOf } from '../playlist-service.ts'

/** GET /api/channels/:id/playlist (`schedules:edit`). `ETag` is the version of the whole playlist, the same on each page. */
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
    async (request, reply) => {
      const { id } = request.params
      // The ETag is read before the page: after a change in between it is outdated, and a write with it is refused.
      reply.header('etag', etagOf(await readVersion(db, id)))
      return playlistPage(db, id, request.query)
    },
  )
}
