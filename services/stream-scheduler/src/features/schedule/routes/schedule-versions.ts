import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams } from '@looptide/contracts/http/channels'
import {
  PublishResult,
  ScheduleVersionDocument,
  ScheduleVersionPage,
  ScheduleVersionParams,
  ScheduleVersionsQuery,
} from '@looptide/contracts/http/schedules'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { versionDocument, versionPage } from '../published-schedule.ts'
import type { SchedulePublisher } from '../schedule-publisher.ts'

/** GET /api/channels/:id/schedule/versions, GET …/versions/:version and POST …/versions/:version/restore (`schedules:edit`). */
export const scheduleVersions: FastifyPluginAsyncTypebox<{
  db: Kysely<Database>
  publisher: SchedulePublisher
}> = async (app, { db, publisher }) => {
  app.get(
    '/api/channels/:id/schedule/versions',
    {
      schema: {
        params: ChannelParams,
        querystring: ScheduleVersionsQuery,
        response: { 200: ScheduleVersionPage },
      },
      config: { operation: 'stream.schedule.versions.list' },
    },
    async (request) => versionPage(db, request.params.id, request.query),
  )
  app.get(
    '/api/channels/:id/schedule/versions/:version',
    {
      schema: { params: ScheduleVersionParams, response: { 200: ScheduleVersionDocument } },
      config: { operation: 'stream.schedule.versions.get' },
    },
    async (request) => versionDocument(db, request.params.id, request.params.version),
  )
  app.post(
    '/api/channels/:id/schedule/versions/:version/restore',
    {
      schema: { params: ScheduleVersionParams, response: { 201: PublishResult } },
      config: { operation: 'stream.schedule.versions.restore' },
    },
    async (request, reply) => {
      const { id, version } = request.params
      return reply.status(201).send(await publisher.restore(id, version, causeOf(request)))
    },
  )
}
