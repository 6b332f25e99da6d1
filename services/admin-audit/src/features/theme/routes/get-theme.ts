import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ThemeBody } from '@looptide/contracts/http/admin'
import { isNotModified } from '@looptide/service-kit/http/conditional'
import { Type } from 'typebox'
import type { ThemeService } from '../theme-service.ts'

/** GET /api/theme: the theme in use (public). Responds 304 if `If-None-Match` is its ETag. */
export const getTheme: FastifyPluginAsyncTypebox<{ themes: ThemeService }> = async (app, { themes }) => {
  app.get(
    '/api/theme',
    {
      schema: { response: { 200: ThemeBody, 304: Type.Unsafe<undefined>({ type: 'null' }) } },
      config: { operation: 'admin.theme.get' },
    },
    async (request, reply) => {
      const { theme, etag } = await themes.current()
      reply.header('cache-control', 'no-cache')
      if (isNotModified(request, reply, etag)) return reply.status(304).send()
      return reply.status(200).send(theme)
    },
  )
}
