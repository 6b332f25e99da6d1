import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Guard } from '@looptide/service-kit/audit/guard'
import type { App } from '@looptide/service-kit/http/app'
import type { Kysely } from 'kysely'
import type { PasswordHasher } from '../../../crypto/password-hasher.ts'
import type { AuthDatabase } from '../../../db/schema.ts'
import type { RateLimits } from '../../../limits/rate-limits.ts'
import type { EmailChangeService } from '../../accounts/email-change-service.ts'
import type { KeptRestrictions } from '../../restrictions/kept-restrictions.ts'
import type { RoleService } from '../../roles/role-service.ts'
import type { SessionService } from '../../sessions/session-service.ts'
import type { UserService } from '../user-service.ts'
import { cancelEmailChange } from './cancel-email-change.ts'
import { checkHandle } from './check-handle.ts'
import { deleteMe } from './delete-me.ts'
import { endSession } from './end-session.ts'
import { listProfiles } from './list-profiles.ts'
import { listSessions } from './list-sessions.ts'
import { listUsers } from './list-users.ts'
import { lookUpProfiles } from './look-up-profiles.ts'
import { readIsAdmin } from './read-is-admin.ts'
import { readMe } from './read-me.ts'
import { readProfile } from './read-profile.ts'
import { readProfileByHandle } from './read-profile-by-handle.ts'
import { setRole } from './set-role.ts'
import { updateProfile } from './update-profile.ts'

export interface UserRoutesDeps {
  db: Kysely<AuthDatabase>
  users: UserService
  roles: RoleService
  emailChanges: EmailChangeService
  sessions: SessionService
  keptRestrictions: KeptRestrictions
  hasher: PasswordHasher
  limits: RateLimits
  guard: Guard
  now: () => number
}

const ROUTES: readonly FastifyPluginAsyncTypebox<UserRoutesDeps>[] = [
  readMe,
  readIsAdmin,
  deleteMe,
  cancelEmailChange,
  listSessions,
  endSession,
  listProfiles,
  lookUpProfiles,
  readProfile,
  readProfileByHandle,
  checkHandle,
  updateProfile,
  listUsers,
  setRole,
]

/** `/api/me`, `/api/profiles` and `/api/users`: profiles, roles and the user's own account. */
export async function addUserRoutes(app: App, deps: UserRoutesDeps): Promise<void> {
  for (const route of ROUTES) await app.register(route, deps)
}
