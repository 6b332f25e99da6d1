import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  FollowedList,
  FollowedLists,
  FollowListBody,
  UpdateFollowedListBody,
} from '@looptide/contracts/http/followed-lists'
import { IdParams } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { ListService } from '../list-service.ts'

/** Followed YouTube playlists and channels: list, follow, change or pause, check, and stop following them (`videos:edit`). */
export const followedLists: FastifyPluginAsyncTypebox<{ lists: ListService }> = async (app, { lists }) => {
  app.get(
    '/api/followed-lists',
    {
      schema: { response: { 200: FollowedLists } },
      config: { operation: 'catalogue.followed_list.list' },
    },
    async () => ({ items: await lists.list() }),
  )
  app.post(
    '/api/followed-lists',
    {
      schema: { body: FollowListBody, response: { 201: FollowedList } },
      config: { operation: 'catalogue.followed_list.create' },
    },
    async (request, reply) => {
      const followed = await lists.follow(request.body, causeOf(request))
      return reply.status(201).send(followed)
    },
  )
  app.patch(
    '/api/followed-lists/:id',
    {
      schema: { params: IdParams, body: UpdateFollowedListBody, response: { 200: FollowedList } },
      config: { operation: 'catalogue.followed_list.update' },
    },
    async (request) => lists.update(request.params.id, request.body, causeOf(request)),
  )
  app.delete(
    '/api/followed-lists/:id',
    {
      schema: { params: IdParams },
      config: { operation: 'catalogue.followed_list.delete' },
    },
    async (request, reply) => {
      await lists.delete(request.params.id, causeOf(request))
      return reply.status(204).send()
    },
  )
  app.post(
    '/api/followed-lists/:id/check',
    {
      schema: { params: IdParams, response: { 200: FollowedList } },
      config: { operation: 'catalogue.followed_list.check' },
    },
    async (request) => lists.check(request.params.id, causeOf(request)),
  )
}
