import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams } from '@looptide/contracts/http/channels'
import { ScheduleRemoval } from '@looptide/contracts/http/schedules'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { SchedulePublisher } from '../schedule-publisher.ts'

/** DELETE /api/channels/:id/schedule (`schedules:edit`): the channel repeats its playlist again. */
export const removeSchedule: FastifyPluginAsyncTypebox<{ publisher: SchedulePublisher }> = async (
  app,
  { publisher },
) => {
  app.delete(
    '/api/channels/:id/schedule',
    {
      schema: { params: ChannelParams, response: { 200: ScheduleRemoval } },
      config: { operation: 'stream.schedule.remove' },
    },
    async (request) => publisher.remove(request.params.id, causeOf(request)),
  )
}
