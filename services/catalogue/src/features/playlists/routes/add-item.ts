import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AddPlaylistItemBody, PlaylistItem } from '@looptide/contracts/http/playlists'
import { IdParams } from '@looptide/contracts/http/videos'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import { type PlaylistService, presentItem } from '../playlist-service.ts'

/** POST /api/playlists/:id/items: adds a video at a position or at the end (owner). */
export const addItem: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.post(
    '/api/playlists/:id/items',
    {
      schema: { params: IdParams, body: AddPlaylistItemBody, response: { 201: PlaylistItem } },
      config: { operation: 'catalogue.playlist.add_item' },
    },
    async (request, reply) => {
      const item = await playlists.addItem(request.params.id, request.body, signedIn(request))
      return reply.status(201).send(presentItem(item))
    },
  )
}
