import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { THEME_ASSET_MAX_BYTES, ThemeAsset } from '@looptide/contracts/http/admin'
import { PICTURE_TYPES } from '@looptide/contracts/pictures'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import { acceptPictures } from '@looptide/service-kit/pictures/pictures'
import type { ThemeService } from '../theme-service.ts'

/** POST /api/theme/assets: stores the picture in the body, at most {@link THEME_ASSET_MAX_BYTES} (`themes:edit`). */
export const addThemeAsset: FastifyPluginAsyncTypebox<{ themes: ThemeService }> = async (app, { themes }) => {
  acceptPictures(app, THEME_ASSET_MAX_BYTES)
  app.post(
    '/api/theme/assets',
    {
      schema: { consumes: [...PICTURE_TYPES], response: { 201: ThemeAsset } },
      config: { operation: 'admin.theme.upload' },
      bodyLimit: THEME_ASSET_MAX_BYTES,
    },
    async (request, reply) => {
      const url = await themes.addAsset(request.body, signedIn(request).id, causeOf(request))
      return reply.status(201).send({ url })
    },
  )
}
