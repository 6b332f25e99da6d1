import {
  audienceExclusionAdd,
  audienceExclusionList,
  audienceExclusionRemove,
  audienceSettingsGet,
  audienceSettingsUpdate,
} from '@looptide/contracts/operations/audience/requests'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { RequireVisible } from '../rules/request-check.ts'
import type { SettingsService } from './settings-service.ts'

interface Deps {
  settings: SettingsService
  requireVisible: RequireVisible
}

/** The routes of what channels accept as requests. */
export const settingsRoutes = ({ settings, requireVisible }: Deps): Route[] => [
  route(audienceSettingsGet, async ({ params, user }) => {
    await requireVisible(params.id, user)
    return settings.find(params.id)
  }),
  route(audienceSettingsUpdate, ({ params, body, cause }) => settings.update(params.id, body, cause)),
  route(audienceExclusionList, async ({ params }) => ({ items: await settings.exclusions(params.id) })),
  route(audienceExclusionAdd, async ({ params, body, cause }) => {
    const { exclusion, isNew } = await settings.exclude(params.id, body, cause)
    return answer(isNew ? 201 : 200, exclusion)
  }),
  route(audienceExclusionRemove, ({ params, cause }) => settings.allow(params.id, params.exclusionId, cause)),
]
