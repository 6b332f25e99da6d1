import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AirLogPage, AirLogQuery, ChannelParams } from '@looptide/contracts/http/channels'
import { decodeCursor, toPage } from '@looptide/service-kit/cursor'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { searchAirLog } from '../../../timeline/air-log-repository.ts'
import type { TimelineMemory } from '../../../timeline/timeline-memory.ts'
import { knownChannel } from '../now-text.ts'

/** GET /api/channels/:id/air-log: what overlapped (afterMs, beforeMs), newest first. */
export const listAirLog: FastifyPluginAsyncTypebox<{
  db: Kysely<Database>
  memory: TimelineMemory
}> = async (app, { db, memory }) => {
  app.get(
    '/api/channels/:id/air-log',
    {
      schema: { params: ChannelParams, querystring: AirLogQuery, response: { 200: AirLogPage } },
      config: { operation: 'stream.air_log.list' },
    },
    async ({
      params: { id },
      query: { limit = 100, cursor, afterMs, beforeMs = Number.MAX_SAFE_INTEGER },
    }) => {
      await knownChannel(memory, id)
      const [lastMs] = cursor === undefined ? [beforeMs] : decodeCursor(cursor, ['number'])
      const rows = await searchAirLog(db, {
        channelId: id,
        beforeMs: Math.min(beforeMs, lastMs),
        afterMs,
        limit,
      })
      const present = ({ seq, ...row }: (typeof rows)[number]) => ({ id: `${id}.${seq}`, ...row })
      return toPage(rows, limit, present, (row) => [row.startedAtMs])
    },
  )
}
