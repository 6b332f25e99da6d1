import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AdminUserBody } from '@looptide/contracts/http/auth-admin'
import { AuthError } from '../auth-error.ts'
import type { AdminRoutesDeps } from './admin-routes-deps.ts'
import { readManagedChange } from './read-managed-change.ts'
import { serviceKeyCause } from './require-service-key.ts'

/** `POST /admin/users`: mails nothing. */
export const createUser: FastifyPluginAsyncTypebox<AdminRoutesDeps> = async (app, { administration }) => {
  app.post(
    '/admin/users',
    { schema: { body: AdminUserBody }, config: { operation: 'auth.admin.user.create' } },
    async (request) => {
      const change = readManagedChange(request.body)
      const { email } = change
      if (email === null) {
        throw AuthError.validation('Cannot create a user without either an email or phone')
      }
      return administration.create({ ...change, email }, serviceKeyCause(request))
    },
  )
}
