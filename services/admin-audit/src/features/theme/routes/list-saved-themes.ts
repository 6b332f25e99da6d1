import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ThemeHistory } from '@looptide/contracts/http/admin'
import type { ThemeService } from '../theme-service.ts'

/** GET /api/theme/history: the last saved themes, newest first (`themes:edit`). */
export const listSavedThemes: FastifyPluginAsyncTypebox<{ themes: ThemeService }> = async (
  app,
  { themes },
) => {
  app.get(
    '/api/theme/history',
    {
      schema: { response: { 200: ThemeHistory } },
      config: { operation: 'admin.theme.history' },
    },
    async () => ({ items: await themes.history() }),
  )
}
