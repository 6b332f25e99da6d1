import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ThemeAssetParams } from '@looptide/contracts/http/admin'
import { sendPicture } from '@looptide/service-kit/pictures/pictures'
import type { ThemeService } from '../theme-service.ts'

/** GET /api/theme/assets/:version: a logo or a hero background (public, immutable). */
export const readThemeAsset: FastifyPluginAsyncTypebox<{ themes: ThemeService }> = async (
  app,
  { themes },
) => {
  app.get(
    '/api/theme/assets/:version',
    { schema: { params: ThemeAssetParams }, config: { operation: 'admin.theme.read_asset' } },
    async (request, reply) => sendPicture(reply, await themes.readAsset(request.params.version)),
  )
}
