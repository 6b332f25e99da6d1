import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { AdminRoutesDeps } from './admin-routes-deps.ts'
import { createUser } from './create-user.ts'
import { deleteUser } from './delete-user.ts'
import { generateLink } from './generate-link.ts'
import { getManagedUser } from './get-managed-user.ts'
import { inviteUser } from './invite-user.ts'
import { listManagedUsers } from './list-managed-users.ts'
import { managedFactors } from './managed-factors.ts'
import { managedPasskeys } from './managed-passkeys.ts'
import { requireServiceKey } from './require-service-key.ts'
import { updateManagedUser } from './update-managed-user.ts'

const ROUTES: readonly FastifyPluginAsyncTypebox<AdminRoutesDeps>[] = [
  listManagedUsers,
  getManagedUser,
  createUser,
  updateManagedUser,
  deleteUser,
  inviteUser,
  generateLink,
  managedFactors,
  managedPasskeys,
]

/** The admin API of the auth protocol, behind the service key (docs/protocols/auth.md §2.11). */
export const addAdminRoutes: FastifyPluginAsyncTypebox<AdminRoutesDeps> = async (app, deps) => {
  // Before the body is read, so that a refusal does not depend on the body.
  app.addHook('onRequest', requireServiceKey(deps))
  for (const route of ROUTES) await app.register(route, deps)
}
