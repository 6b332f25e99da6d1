import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ThemeHistory } from '@looptide/contracts/http/admin'
import { requireAdmin } from '@looptide/service-kit/identity/request-user'
import type { ThemeService } from '../theme-service.ts'

/** GET /api/theme/history: the last saved themes, newest first (admin). */
export const listSavedThemes: FastifyPluginAsyncTypebox<{ themes: ThemeService }> = async (
  app,
  { themes },
) => {
  app.get(
    '/api/theme/history',
    {
      schema: { response: { 200: ThemeHistory } },
      config: { operation: 'admin.theme.history' },
      onRequest: requireAdmin,
    },
    async () => ({ items: await themes.history() }),
  )
}
