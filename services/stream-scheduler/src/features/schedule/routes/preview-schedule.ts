import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams } from '@looptide/contracts/http/channels'
import {
  MAX_SCHEDULE_BYTES,
  SchedulePreview,
  SchedulePreviewBody,
  SourcePreview,
  SourcePreviewBody,
} from '@looptide/contracts/http/schedules'
import type { SchedulePreviews } from '../schedule-previews.ts'

/** POST /api/channels/:id/schedule/preview and …/schedule/source (`schedules:edit`). Neither writes anything. */
export const previewSchedule: FastifyPluginAsyncTypebox<{ previews: SchedulePreviews }> = async (
  app,
  { previews },
) => {
  app.post(
    '/api/channels/:id/schedule/preview',
    {
      bodyLimit: MAX_SCHEDULE_BYTES,
      schema: { params: ChannelParams, body: SchedulePreviewBody, response: { 200: SchedulePreview } },
      config: { operation: 'stream.schedule.preview' },
    },
    async (request) => previews.preview(request.params.id, request.body),
  )
  app.post(
    '/api/channels/:id/schedule/source',
    {
      schema: { params: ChannelParams, body: SourcePreviewBody, response: { 200: SourcePreview } },
      config: { operation: 'stream.schedule.source' },
    },
    async (request) => previews.source(request.params.id, request.body),
  )
}
