import { streamChannelControl } from '@looptide/contracts/operations/stream/channels'
import type { Guard } from '@looptide/service-kit/limits/guard'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { StreamService } from './stream-service.ts'

/** Routes of the streams of channels. */
export const streamRoutes = ({ streams, guard }: { streams: StreamService; guard: Guard }): Route[] => [
  route(streamChannelControl, async ({ body: { action }, request, params, cause }) => {
    if (action === 'reset') await guard.check(request, 'stream.reset.admin')
    return streams[action](params.id, cause)
  }),
]
