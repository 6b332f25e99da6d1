import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type AirLogEntry, AirLogPage, AirLogQuery, ChannelParams } from '@looptide/contracts/http/channels'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { type AirLogRow, searchAirLog } from '../../../timeline/air-log-repository.ts'
import { thumbnailOf } from '../../../timeline/present-programme.ts'
import type { TimelineCache } from '../../../timeline/timeline-cache.ts'
import { findChannel } from '../now-response.ts'

/** GET /api/channels/:id/air-log: entries that overlap (afterMs, beforeMs), newest or oldest first. */
export const listAirLog: FastifyPluginAsyncTypebox<{
  db: Kysely<Database>
  timelines: TimelineCache
}> = async (app, { db, timelines }) => {
  app.get(
    '/api/channels/:id/air-log',
    {
      schema: {
        summary: 'What was on',
        params: ChannelParams,
        querystring: AirLogQuery,
        response: { 200: AirLogPage },
      },
      config: { operation: 'stream.air_log.list' },
    },
    async ({ params: { id }, query }) => {
      const { limit = 100, cursor, afterMs, beforeMs, order = 'newest' } = query
      await findChannel(timelines, id)
      const [lastMs] = cursor === undefined ? [undefined] : decodeCursor(cursor, ['number'])
      const rows = await searchAirLog(db, {
        channelId: id,
        beforeMs: order === 'newest' ? (lastMs ?? beforeMs) : beforeMs,
        startedAfterMs: order === 'oldest' ? lastMs : undefined,
        afterMs,
        order,
        limit,
      })
      return toPage(rows, limit, presentEntry, (row) => [row.startedAtMs])
    },
  )
}

function presentEntry({ seq, youtubeId, thumbnailUrl, ...row }: AirLogRow): AirLogEntry {
  return { id: `${row.channelId}.${seq}`, ...row, thumbnailUrl: thumbnailUrl ?? thumbnailOf(youtubeId) }
}
