import type { App } from '@looptide/service-kit/http/app'
import type { RateLimits } from '../../../limits/rate-limits.ts'
import type { AvatarService } from '../avatar-service.ts'
import { deleteAvatar } from './delete-avatar.ts'
import { putAvatar } from './put-avatar.ts'
import { readAvatar } from './read-avatar.ts'

export interface AvatarRoutesDeps {
  avatars: AvatarService
  limits: RateLimits
}

/** `/api/me/avatar` and `/api/profiles/:id/avatar/:version`: profile pictures. */
export async function addAvatarRoutes(app: App, deps: AvatarRoutesDeps): Promise<void> {
  for (const route of [putAvatar, deleteAvatar, readAvatar]) await app.register(route, deps)
}
