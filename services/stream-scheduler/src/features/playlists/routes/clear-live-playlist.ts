import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RemoveItemsResult } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { DEFAULT_CHANNEL_ID } from '../../../timeline/rules.ts'
import type { PlaylistService } from '../playlist-service.ts'

/** DELETE /api/live-playlist (`schedules:edit`): removes all items, so that the default channel plays its fallback. */
export const clearLivePlaylist: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.delete(
    '/api/live-playlist',
    {
      schema: { response: { 200: RemoveItemsResult } },
      config: { operation: 'stream.live_playlist.clear' },
    },
    async (request) => ({ removed: await playlists.clear(DEFAULT_CHANNEL_ID, causeOf(request)) }),
  )
}
