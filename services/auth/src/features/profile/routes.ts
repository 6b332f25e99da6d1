import { authAvatarDelete, authAvatarPut, authAvatarRead } from '@looptide/contracts/operations/auth/accounts'
import { authAccountRead } from '@looptide/contracts/operations/auth/users'
import { errors } from '@looptide/service-kit/http/errors'
import { sendPicture } from '@looptide/service-kit/pictures/pictures'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import * as restrictionRepository from '../user/restriction-repository.ts'
import * as userRepository from '../user/user-repository.ts'
import type { AvatarService } from './avatar-service.ts'
import * as profileRepository from './profile-repository.ts'

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

interface SummaryDeps {
  db: Kysely<Database>
  now: () => number
}

/** The route of what audience needs of an account. */
export const summaryRoutes = ({ db, now }: SummaryDeps): Route[] => [
  route(authAccountRead, async ({ params: { id } }) => {
    const [user, profile, restrictions] = await Promise.all([
      userRepository.byId(db, id),
      profileRepository.byId(db, id),
      restrictionRepository.activeOf(db, [id], new Date(now())),
    ])
    if (user === undefined) throw errors.notFound('This account')
    return {
      userId: id,
      handle: profile?.handle ?? null,
      createdAt: user.createdAt.toISOString(),
      ...summariesOf(restrictions),
    }
  }),
]

function summariesOf(active: Awaited<ReturnType<typeof restrictionRepository.activeOf>>) {
  const all = active.map(({ id: restrictionId, restrictionType, expiresAt }) => ({
    restrictionId,
    restrictionType,
    expiresAt: expiresAt?.toISOString() ?? null,
  }))
  return {
    restrictions: all.filter(({ restrictionType }) => restrictionType === 'restricted'),
    bans: all.filter(({ restrictionType }) => restrictionType !== 'restricted'),
  }
}
