import {
  audienceExclusionAdd,
  audienceExclusionList,
  audienceExclusionRemove,
  audienceSettingsGet,
  audienceSettingsUpdate,
} from '@looptide/contracts/operations/audience'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { SettingsService } from './settings-service.ts'

/** The routes of what channels accept as requests. */
export const settingsRoutes = ({ settings }: { settings: SettingsService }): Route[] => [
  route(audienceSettingsGet, ({ params }) => settings.find(params.id)),
  route(audienceSettingsUpdate, ({ params, body, cause }) => settings.update(params.id, body, cause)),
  route(audienceExclusionList, async ({ params }) => ({ items: await settings.exclusions(params.id) })),
  route(audienceExclusionAdd, async ({ params, body, cause }) => {
    const { exclusion, isNew } = await settings.exclude(params.id, body, cause)
    return answer(isNew ? 201 : 200, exclusion)
  }),
  route(audienceExclusionRemove, ({ params, cause }) => settings.allow(params.id, params.exclusionId, cause)),
]
