import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams } from '@looptide/contracts/http/channels'
import { MAX_SCHEDULE_BYTES, ScheduleDraft } from '@looptide/contracts/http/schedules'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { expectedVersion } from '@looptide/service-kit/http/conditional'
import { Type } from 'typebox'
import type { ScheduleDrafts } from '../schedule-drafts.ts'

/** GET, PUT and DELETE /api/channels/:id/schedule/draft (`schedules:edit`). The `ETag` is that of the draft. */
export const scheduleDraft: FastifyPluginAsyncTypebox<{ drafts: ScheduleDrafts }> = async (
  app,
  { drafts },
) => {
  const url = '/api/channels/:id/schedule/draft'
  app.get(
    url,
    {
      schema: { params: ChannelParams, response: { 200: ScheduleDraft } },
      config: { operation: 'stream.schedule.draft.get' },
    },
    async (request, reply) => {
      const { draft, etag } = await drafts.get(request.params.id)
      reply.header('etag', etag)
      return draft
    },
  )
  app.put(
    url,
    {
      bodyLimit: MAX_SCHEDULE_BYTES,
      // Any value: the answer to what is not a document names each problem with its path.
      schema: { params: ChannelParams, body: Type.Unknown(), response: { 200: ScheduleDraft } },
      config: { operation: 'stream.schedule.draft.save' },
    },
    async (request, reply) => {
      const { params, body } = request
      const { draft, etag } = await drafts.save(params.id, body, causeOf(request), expectedVersion(request))
      reply.header('etag', etag)
      return draft
    },
  )
  app.delete(
    url,
    {
      schema: { params: ChannelParams, response: { 204: Type.Null() } },
      config: { operation: 'stream.schedule.draft.discard' },
    },
    async (request, reply) => {
      await drafts.discard(request.params.id, causeOf(request), expectedVersion(request))
      return reply.status(204).send(null)
    },
  )
}
