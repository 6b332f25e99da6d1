import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams } from '@looptide/contracts/http/channels'
import {
  MAX_SCHEDULE_BYTES,
  PublishPreview,
  PublishPreviewBody,
  PublishResult,
} from '@looptide/contracts/http/schedules'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { expectedVersion } from '@looptide/service-kit/http/conditional'
import type { SchedulePublisher } from '../schedule-publisher.ts'

/** POST /api/channels/:id/schedule/publish (`schedules:edit`), and …/publish/preview, which writes nothing. */
export const publishSchedule: FastifyPluginAsyncTypebox<{ publisher: SchedulePublisher }> = async (
  app,
  { publisher },
) => {
  app.post(
    '/api/channels/:id/schedule/publish',
    {
      schema: { params: ChannelParams, response: { 201: PublishResult } },
      config: { operation: 'stream.schedule.publish' },
    },
    async (request, reply) => {
      const result = await publisher.publish(request.params.id, causeOf(request), expectedVersion(request))
      return reply.status(201).send(result)
    },
  )
  app.post(
    '/api/channels/:id/schedule/publish/preview',
    {
      bodyLimit: MAX_SCHEDULE_BYTES,
      schema: { params: ChannelParams, body: PublishPreviewBody, response: { 200: PublishPreview } },
      config: { operation: 'stream.schedule.publish.preview' },
      preValidation: async (request) => {
        // Without a body, the draft is previewed. A body of `null` is invalid.
        if (request.body === undefined) request.body = {}
      },
    },
    async (request) => publisher.preview(request.params.id, request.body.document, expectedVersion(request)),
  )
}
