import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  CreateFilterBody,
  SavedFilter,
  SavedFilterList,
  UpdateFilterBody,
} from '@looptide/contracts/http/video-filters'
import { IdParams } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { FilterService } from '../filter-service.ts'

/** The saved filters of the library: list, save, rename or replace, and delete them (`videos:edit`). */
export const savedFilters: FastifyPluginAsyncTypebox<{ filters: FilterService }> = async (
  app,
  { filters },
) => {
  app.get(
    '/api/videos/filters',
    {
      schema: { response: { 200: SavedFilterList } },
      config: { operation: 'catalogue.video_filter.list' },
    },
    async () => ({ items: await filters.list() }),
  )
  app.post(
    '/api/videos/filters',
    {
      schema: { body: CreateFilterBody, response: { 201: SavedFilter } },
      config: { operation: 'catalogue.video_filter.create' },
    },
    async (request, reply) => {
      const saved = await filters.create(request.body, causeOf(request))
      return reply.status(201).send(saved)
    },
  )
  app.patch(
    '/api/videos/filters/:id',
    {
      schema: { params: IdParams, body: UpdateFilterBody, response: { 200: SavedFilter } },
      config: { operation: 'catalogue.video_filter.update' },
    },
    async (request) => filters.update(request.params.id, request.body, causeOf(request)),
  )
  app.delete(
    '/api/videos/filters/:id',
    {
      schema: { params: IdParams },
      config: { operation: 'catalogue.video_filter.delete' },
    },
    async (request, reply) => {
      await filters.delete(request.params.id, causeOf(request))
      return reply.status(204).send()
    },
  )
}
