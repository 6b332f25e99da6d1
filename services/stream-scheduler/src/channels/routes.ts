import {
  streamChannelControl,
  streamChannelCreate,
  streamChannelDelete,
  streamChannelList,
  streamChannelListShortLoops,
  streamChannelPreviewShortLoops,
  streamChannelUpdate,
} from '@looptide/contracts/operations/stream/channels'
import { may } from '@looptide/contracts/permissions'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { requirePermission } from '@looptide/service-kit/identity/request-user'
import type { Guard } from '@looptide/service-kit/limits/guard'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { TimelineCache } from '../timeline/timeline-cache.ts'
import type { ChannelService } from './channel-service.ts'
import { presentChannel } from './present-channel.ts'
import { findShortLoops } from './short-loop-repository.ts'
import type { StreamService } from './stream-service.ts'

interface ChannelRouteDeps {
  db: Kysely<Database>
  channels: ChannelService
  streams: StreamService
  timelines: TimelineCache
  guard: Guard
  /** See {@link findShortLoops} (ms). */
  fallbackMaxMs: number
}

/** Routes of channels, of their streams and of those that repeat within an hour. */
export const channelRoutes = ({
  db,
  channels,
  streams,
  timelines,
  guard,
  fallbackMaxMs,
}: ChannelRouteDeps): Route[] => [
  route(streamChannelList, async ({ query: { limit = 100, cursor }, user }) => {
    await timelines.settled()
    const all = timelines.list().map((channel) => channel.row)
    const visible = may(user?.role, 'schedules:edit') ? all : all.filter((channel) => channel.isActive)
    const [position, id] = cursor === undefined ? [-1, ''] : decodeCursor(cursor, ['number', 'string'])
    const rest = visible.filter((c) => c.position > position || (c.position === position && c.id > id))
    return toPage(rest, limit, presentChannel, (row) => [row.position, row.id])
  }),
  route(streamChannelUpdate, async ({ body, request, params, cause }) => {
    const { shuffleEnabled: _shuffle, ...rest } = body
    if (Object.keys(rest).length > 0) requirePermission(request, 'channels:manage')
    return presentChannel(await channels.update(params.id, body, cause))
  }),
  route(streamChannelCreate, async ({ body, cause }) => presentChannel(await channels.create(body, cause))),
  route(streamChannelDelete, ({ params, cause }) => channels.remove(params.id, cause)),
  route(streamChannelControl, async ({ body: { action }, request, params, cause }) => {
    if (action === 'reset') await guard.check(request, 'stream.reset.admin')
    return streams[action](params.id, cause)
  }),
  route(streamChannelListShortLoops, async () => ({ items: await findShortLoops(db, fallbackMaxMs) })),
  route(streamChannelPreviewShortLoops, async ({ body }) => ({
    items: await findShortLoops(db, fallbackMaxMs, body.withoutVideoIds),
  })),
]
