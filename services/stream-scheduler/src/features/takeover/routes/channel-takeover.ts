import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams } from '@looptide/contracts/http/channels'
import {
  CurrentTakeover,
  StartTakeoverBody,
  StopTakeoverQuery,
  Takeover,
} from '@looptide/contracts/http/takeovers'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { Guard } from '@looptide/service-kit/audit/guard'
import { Type } from 'typebox'
import type { TakeoverService } from '../takeover-service.ts'

/** GET, POST and DELETE /api/channels/:id/takeover (`takeovers:run`). Starting is a guarded action. */
export const channelTakeover: FastifyPluginAsyncTypebox<{
  takeovers: TakeoverService
  guard: Guard
}> = async (app, { takeovers, guard }) => {
  const url = '/api/channels/:id/takeover'
  app.get(
    url,
    {
      schema: { params: ChannelParams, response: { 200: CurrentTakeover } },
      config: { operation: 'stream.takeover.get' },
    },
    async (request) => ({ takeover: await takeovers.current(request.params.id) }),
  )
  app.post(
    url,
    {
      schema: { params: ChannelParams, body: StartTakeoverBody, response: { 201: Takeover } },
      config: { operation: 'stream.takeover.start' },
    },
    async (request, reply) => {
      await guard.check(request, 'stream.takeover.moderator')
      const takeover = await takeovers.start(request.params.id, request.body, causeOf(request))
      return reply.status(201).send(takeover)
    },
  )
  app.delete(
    url,
    {
      schema: { params: ChannelParams, querystring: StopTakeoverQuery, response: { 204: Type.Null() } },
      config: { operation: 'stream.takeover.stop' },
    },
    async (request, reply) => {
      const { params, query } = request
      await takeovers.stop(params.id, query.undo ?? false, causeOf(request))
      return reply.status(204).send(null)
    },
  )
}
