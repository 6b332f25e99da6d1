import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DEFAULT_CARD_TEXTS, SaveThemeBody, ThemeBody } from '@looptide/contracts/http/admin'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { expectedVersion } from '@looptide/service-kit/http/conditional'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { ThemeService } from '../theme-service.ts'

/** PUT /api/theme: activates a theme for all viewers (`themes:edit`). Responds 412 if `If-Match` is not the current ETag. */
export const saveTheme: FastifyPluginAsyncTypebox<{ themes: ThemeService }> = async (app, { themes }) => {
  app.put(
    '/api/theme',
    {
      schema: { body: SaveThemeBody, response: { 200: ThemeBody } },
      config: { operation: 'admin.theme.save' },
    },
    async (request, reply) => {
      const user = signedIn(request)
      const expected = expectedVersion(request)
      const body = { ...DEFAULT_CARD_TEXTS, ...request.body }
      const { theme, etag } = await themes.save(body, user.id, causeOf(request), expected)
      reply.header('etag', etag)
      return theme
    },
  )
}
