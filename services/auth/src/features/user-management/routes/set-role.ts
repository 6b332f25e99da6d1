import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AdminUser, SetRoleBody, UserParams } from '@looptide/contracts/http/users'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { Guard } from '@looptide/service-kit/audit/guard'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { RoleService } from '../../roles/role-service.ts'
import type { UserService } from '../user-service.ts'

interface SetRoleDeps {
  guard: Guard
  roles: RoleService
  users: UserService
}

/** `PUT /api/users/:id/role`: a guarded action. */
export const setRole: FastifyPluginAsyncTypebox<SetRoleDeps> = async (app, { guard, roles, users }) => {
  app.put(
    '/api/users/:id/role',
    {
      schema: { params: UserParams, body: SetRoleBody, response: { 200: AdminUser } },
      config: { operation: 'auth.user.set_role' },
    },
    async (request) => {
      const { id } = request.params
      await guard.check(request, 'user.role.admin', id)
      await roles.set(id, request.body.role, signedIn(request).id, causeOf(request))
      return users.adminUser(id)
    },
  )
}
