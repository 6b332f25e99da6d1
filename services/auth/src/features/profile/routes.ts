import { authAvatarDelete, authAvatarPut, authAvatarRead } from '@looptide/contracts/operations/auth/accounts'
import { sendPicture } from '@looptide/service-kit/pictures/pictures'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { AvatarService } from './avatar-service.ts'

/** Routes of profile pictures. */
export const avatarRoutes = ({
  avatars,
  limits,
}: {
  avatars: AvatarService
  limits: RateLimits
}): Route[] => [
  route(authAvatarRead, async ({ params, reply }) =>
    sendPicture(reply, await avatars.read(params.id, params.version)),
  ),
  route(authAvatarPut, async ({ user, request, cause }) => {
    await limits.consume(['update-account', user.id])
    return avatars.put(user, request.body, cause)
  }),
  route(authAvatarDelete, async ({ user, cause }) => {
    await limits.consume(['update-account', user.id])
    return avatars.remove(user, cause)
  }),
]
