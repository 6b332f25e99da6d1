import { DEFAULT_CARD_TEXTS } from '@looptide/contracts/http/themes'
import {
  adminThemeGet,
  adminThemeHistory,
  adminThemeReadAsset,
  adminThemeSave,
  adminThemeUpload,
} from '@looptide/contracts/operations/admin'
import { isNotModified } from '@looptide/service-kit/http/conditional'
import { sendPicture } from '@looptide/service-kit/pictures/pictures'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { ThemeService } from './theme-service.ts'

/** Routes of themes and their pictures. */
export const themeRoutes = ({ themes }: { themes: ThemeService }): Route[] => [
  route(adminThemeGet, async ({ reply, request }) => {
    const { theme, etag } = await themes.current()
    reply.header('cache-control', 'no-cache')
    return isNotModified(request, reply, etag) ? answer(304, undefined) : answer(200, theme)
  }),
  route(adminThemeReadAsset, async ({ reply, params }) =>
    sendPicture(reply, await themes.readAsset(params.version)),
  ),
  route(adminThemeSave, async ({ user, expected, body, cause }) => {
    const given = { ...DEFAULT_CARD_TEXTS, ...body }
    const { theme, etag } = await themes.save(given, user.id, cause, expected)
    return answer(200, theme, { etag })
  }),
  route(adminThemeUpload, async ({ request, query: { keep = false }, user, cause }) => ({
    url: await themes.addAsset(request.body, keep, user.id, cause),
  })),
  route(adminThemeHistory, async () => ({ items: await themes.history() })),
]
