import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ThemeBody } from '@looptide/contracts/http/admin'
import { causeOf } from '@looptide/service-kit/audit'
import { requireAdmin, signedIn } from '@looptide/service-kit/request-user'
import type { ThemeService } from '../theme-service.ts'

/** Puts a theme in use for everybody. Admins only. */
export const saveTheme: FastifyPluginAsyncTypebox<{ themes: ThemeService }> = async (app, { themes }) => {
  app.put(
    '/api/theme',
    {
      schema: { body: ThemeBody, response: { 200: ThemeBody } },
      config: { operation: 'admin.theme.save' },
      onRequest: requireAdmin,
    },
    async (request) => themes.save(request.body, signedIn(request).id, causeOf(request)),
  )
}
