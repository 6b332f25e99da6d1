import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams } from '@looptide/contracts/http/channels'
import { PublishedSchedule } from '@looptide/contracts/http/schedules'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { ScheduleReader } from '../../../schedule/schedule-reader.ts'
import { publishedSchedule } from '../published-schedule.ts'

/** GET /api/channels/:id/schedule (`schedules:edit`): the published schedule. */
export const getSchedule: FastifyPluginAsyncTypebox<{
  db: Kysely<Database>
  schedules: ScheduleReader
  now: () => number
}> = async (app, { db, schedules, now }) => {
  app.get(
    '/api/channels/:id/schedule',
    {
      schema: { params: ChannelParams, response: { 200: PublishedSchedule } },
      config: { operation: 'stream.schedule.get' },
    },
    async (request) => publishedSchedule(db, schedules, request.params.id, now()),
  )
}
