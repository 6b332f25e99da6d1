import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PageQuery } from '@looptide/contracts/common'
import { ChannelPage } from '@looptide/contracts/http/channels'
import { decodeCursor, toPage } from '@looptide/service-kit/cursor'
import type { TimelineMemory } from '../../../timeline/timeline-memory.ts'
import { presentChannel } from '../present-channel.ts'

/** GET /api/channels: the active ones by position; all of them for an admin. From memory. */
export const listChannels: FastifyPluginAsyncTypebox<{ memory: TimelineMemory }> = async (
  app,
  { memory },
) => {
  app.get(
    '/api/channels',
    {
      schema: { querystring: PageQuery, response: { 200: ChannelPage } },
      config: { operation: 'stream.channel.list' },
    },
    async ({ query: { limit = 100, cursor }, user }) => {
      await memory.settled()
      const shown = memory.list().map((channel) => channel.facts)
      const visible = user?.role === 'admin' ? shown : shown.filter((channel) => channel.isActive)
      const [position, id] = cursor === undefined ? [-1, ''] : decodeCursor(cursor, ['number', 'string'])
      const rest = visible.filter((c) => c.position > position || (c.position === position && c.id > id))
      return toPage(rest, limit, presentChannel, (row) => [row.position, row.id])
    },
  )
}
