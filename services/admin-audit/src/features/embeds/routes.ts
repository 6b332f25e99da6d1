import { adminEmbedsRead, adminEmbedsUpdate } from '@looptide/contracts/operations/admin'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { EmbedSettingsService } from './embed-settings.ts'

/** Routes of whose pages may show embeds. */
export const embedRoutes = ({ embeds }: { embeds: EmbedSettingsService }): Route[] => [
  route(adminEmbedsRead, async ({ reply }) => {
    const { settings, etag } = await embeds.read()
    reply.header('cache-control', 'no-cache')
    return answer(200, settings, { etag })
  }),
  route(adminEmbedsUpdate, async ({ body, cause, expected }) => {
    const { settings, etag } = await embeds.update(body, cause, expected)
    return answer(200, settings, { etag })
  }),
]
