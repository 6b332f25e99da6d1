import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PageQuery } from '@looptide/contracts/common'
import { ChannelPage } from '@looptide/contracts/http/channels'
import { may } from '@looptide/contracts/permissions'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import type { TimelineCache } from '../../../timeline/timeline-cache.ts'
import { presentChannel } from '../present-channel.ts'

/** GET /api/channels: the active channels by position, or all channels for those who edit schedules. Answered from the timeline cache. */
export const listChannels: FastifyPluginAsyncTypebox<{ timelines: TimelineCache }> = async (
  app,
  { timelines },
) => {
  app.get(
    '/api/channels',
    {
      schema: { querystring: PageQuery, response: { 200: ChannelPage } },
      config: { operation: 'stream.channel.list' },
    },
    async ({ query: { limit = 100, cursor }, user }) => {
      await timelines.settled()
      const all = timelines.list().map((channel) => channel.row)
      const visible = may(user?.role, 'schedules:edit') ? all : all.filter((channel) => channel.isActive)
      const [position, id] = cursor === undefined ? [-1, ''] : decodeCursor(cursor, ['number', 'string'])
      const rest = visible.filter((c) => c.position > position || (c.position === position && c.id > id))
      return toPage(rest, limit, presentChannel, (row) => [row.position, row.id])
    },
  )
}
